// The rules that cover a row: the row is chosen by its number, what covers it is marked, and the others can be hidden.

const data = JSON.parse(document.getElementById("bough-data").textContent);
const lines = [...document.querySelectorAll("tr[data-rule]")];
const number = document.getElementById("row");
const only = document.getElementById("only");
const told = document.getElementById("told");
const values = document.getElementById("values");

function show() {
  const chosen = Number(number.value);
  const row = number.value === "" || !data.covers[chosen] ? null : chosen;
  const covering = new Set(row === null ? [] : data.covers[row]);
  const decides = row === null ? null : data.decides[row];
  for (const line of lines) {
    const rule = Number(line.dataset.rule);
    const marked = covering.has(rule) || rule === decides;
    line.classList.toggle("covers", marked);
    line.classList.toggle("decides", rule === decides);
    line.hidden = only.checked && row !== null && !marked;
  }
  values.replaceChildren();
  if (row === null) {
    told.textContent = number.value === "" ? "" : `There is no row ${number.value}: the page has 0 to ${data.covers.length - 1}.`;
    return;
  }
  const by = decides === null ? "" : decides === data.n ? " The default decides." : ` Rule ${decides} decides.`;
  told.textContent = `${covering.size} of ${data.n} rules cover row ${row}.${by}`;
  data.columns.forEach((name, place) => {
    const term = document.createElement("dt"), value = document.createElement("dd");
    term.textContent = name;
    value.textContent = data.rows[row][place];
    values.append(term, value);
  });
}

if (number) for (const input of [number, only]) input.addEventListener("input", show);
