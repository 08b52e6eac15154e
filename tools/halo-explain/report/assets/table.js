// Tables whose rows are sorted by a click on the title of a column.

function makeSortable(table) {
  const body = table.tBodies[0];
  for (const head of table.tHead.rows[0].cells) {
    const button = element("button", { type: "button", title: head.title || undefined }, head.textContent);
    head.removeAttribute("title");
    replace(head, button);
    button.addEventListener("click", () => {
      const isUp = head.getAttribute("aria-sort") === "descending";
      // Names are sorted upwards first, numbers downwards.
      const isNumber = head.classList.contains("number");
      const had = head.hasAttribute("aria-sort");
      const direction = had ? (isUp ? 1 : -1) : isNumber ? -1 : 1;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
      const column = head.cellIndex;
      const key = (row) => {
        const cell = row.cells[column];
        return isNumber ? Number(cell.dataset.value) : cell.textContent;
      };
      const rows = [...body.rows].map((row) => [key(row), row]);
      const compare = isNumber ? (a, b) => a - b : (a, b) => a.localeCompare(b, "en", { numeric: true });
      rows.sort(([a], [b]) => direction * compare(a, b));
      body.append(...rows.map(([, row]) => row));
    });
  }
}

/** The rows that the page does not have yet. */
async function addKernels(table, note) {
  const { rows } = await load();
  const columns = [...table.tHead.rows[0].cells].map((cell) => cell.dataset.column);
  const first = table.tBodies[0].rows.length;
  const made = rows.slice(first).map((row, index) =>
    element(
      "tr",
      { "data-row": first + index },
      columns.map((column) => {
        if (column === "name") {
          const place = row.location && element("span", { class: "place" }, row.location);
          return element("th", { scope: "row" }, link(`kernel/${first + index}`, row.name), place);
        }
        if (column === "ops") return element("td", { class: "ops" }, row.ops.join(", "));
        const text = row.cells[column];
        // As Rust writes them: nothing is least, and memory is before compute.
        const value = { "": -1, memory: 0, compute: 1 }[text] ?? Number.parseFloat(text);
        return element("td", { class: "number", "data-value": value }, text);
      }),
    ),
  );
  table.tBodies[0].append(...made);
  note.remove();
}

function startTables() {
  const table = byId("kernel-table");
  if (!table) return;
  makeSortable(table);
  const note = byId("more-kernels");
  if (note) {
    const button = element("button", { type: "button", onclick: () => addKernels(table, note) }, "Show them");
    note.append(" ", button);
  }
  const filter = element("input", {
    type: "search",
    placeholder: "Filter by kernel, op or place",
    "aria-label": "Filter the kernels",
    oninput: debounced(() => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const row of table.tBodies[0].rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
    }),
  });
  table.closest(".scroll").before(element("p", { class: "controls" }, filter));
}
