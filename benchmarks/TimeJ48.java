// Times J48.buildClassifier on a table of doubles, so that neither the start of Java nor reading counts.
// Arguments: header, data, repeats. The header has a line for each column, the class last: its number of levels, 0 for
// numbers. The data are rows of little-endian doubles, codes for levels, NaN where missing.
// Prints: wall seconds, CPU seconds of the thread (neither the collector's nor the compiler's), leaves, size.
import java.io.FileInputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import weka.classifiers.trees.J48;
import weka.core.Attribute;
import weka.core.DenseInstance;
import weka.core.Instances;

public class TimeJ48 {
  public static void main(String[] arguments) throws Exception {
    Instances table = read(arguments[0], arguments[1]);
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    for (int run = 0; run < Integer.parseInt(arguments[2]); run++) {
      J48 tree = new J48();
      System.gc();
      long wall = System.nanoTime();
      long cpu = clock.getCurrentThreadCpuTime();
      tree.buildClassifier(table);
      cpu = clock.getCurrentThreadCpuTime() - cpu;
      wall = System.nanoTime() - wall;
      System.out.printf("%.3f %.3f %.0f %.0f%n", wall / 1e9, cpu / 1e9, tree.measureNumLeaves(), tree.measureTreeSize());
    }
  }

  private static Instances read(String header, String data) throws Exception {
    ArrayList<Attribute> attributes = new ArrayList<>();
    for (String line : Files.readAllLines(Paths.get(header))) {
      int levels = Integer.parseInt(line.trim());
      String name = "c" + attributes.size();
      List<String> labels = new ArrayList<>();
      for (int level = 0; level < levels; level++) labels.add("l" + level);
      attributes.add(levels == 0 ? new Attribute(name) : new Attribute(name, labels));
    }
    int width = attributes.size();
    Instances table = new Instances("table", attributes, 0);
    table.setClassIndex(width - 1);
    ByteBuffer buffer = ByteBuffer.allocate(8 * width * 4096).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel file = new FileInputStream(data).getChannel()) {
      while (file.read(buffer) >= 0) {
        buffer.flip();
        while (buffer.remaining() >= 8 * width) {
          double[] row = new double[width];
          for (int column = 0; column < width; column++) row[column] = buffer.getDouble();
          table.add(new DenseInstance(1.0, row));
        }
        buffer.compact();
      }
    }
    return table;
  }
}
