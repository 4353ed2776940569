// Runs classifiers of Weka one after the other in one Java, so that its start counts once and reading never.
// Argument: a file with a job a line, parts apart by tabs: class, options, training ARFF, ARFF to answer (or -), output.
// The output is the printed model, then a line of equals signs, then the probabilities of each row to answer.
// Prints for each job: CPU seconds of the thread that builds (neither the collector's nor the compiler's), wall seconds,
// or the error that building ended in.
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Map;
import weka.classifiers.AbstractClassifier;
import weka.classifiers.Classifier;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Utils;
import weka.core.converters.ConverterUtils.DataSource;

public class RunRules {
  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
  private static final Map<String, Instances> LAST = new HashMap<>();

  public static void main(String[] arguments) throws Exception {
    for (String line : Files.readAllLines(Paths.get(arguments[0]))) {
      String[] job = line.split("\t");
      Classifier model = AbstractClassifier.forName(job[0], Utils.splitOptions(job[1]));
      Instances table = read(job[2]);
      System.gc();
      long wall = System.nanoTime();
      long cpu = CLOCK.getCurrentThreadCpuTime();
      try {
        model.buildClassifier(table);
        cpu = CLOCK.getCurrentThreadCpuTime() - cpu;
        System.out.printf("%.4f %.4f%n", cpu / 1e9, (System.nanoTime() - wall) / 1e9);
        answer(model, job[3], job[4]);
      } catch (Exception error) {
        System.out.println("error " + error.getMessage());
      }
    }
  }

  private static void answer(Classifier model, String rows, String output) throws Exception {
    try (PrintWriter file = new PrintWriter(output, "UTF-8")) {
      file.print(model + "\n=====\n");
      if (rows.equals("-")) return;
      for (Instance row : read(rows)) {
        StringBuilder numbers = new StringBuilder();
        for (double share : model.distributionForInstance(row)) numbers.append(share).append(' ');
        file.println(numbers);
      }
    }
  }

  /** A table with the class last; the one read last is kept, for learners that take turns on it. */
  private static Instances read(String path) throws Exception {
    if (!LAST.containsKey(path)) {
      LAST.clear();
      Instances table = new DataSource(path).getDataSet();
      table.setClassIndex(table.numAttributes() - 1);
      LAST.put(path, table);
    }
    return LAST.get(path);
  }
}
