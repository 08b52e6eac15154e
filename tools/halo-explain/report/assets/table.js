// The table of kernels: a kernel is a body of the table, with its sum first and its call sites
// below. A click on the title of a column sorts the kernels.

function makeSortable(table) {
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
      const key = ({ cells }) => (isNumber ? Number(cells[column].dataset.value) : nameOf(cells[column]));
      const compare = isNumber ? (a, b) => a - b : (a, b) => a.localeCompare(b, "en", { numeric: true });
      const sorted = (items, rowOf) => {
        const keyed = items.map((item) => [key(rowOf(item)), item]);
        keyed.sort(([a], [b]) => direction * compare(a, b));
        return keyed.map(([, item]) => item);
      };
      for (const body of table.tBodies) {
        const sites = [...body.rows].filter((row) => row.classList.contains("site"));
        body.append(...sorted(sites, (row) => row));
      }
      const bodies = sorted([...table.tBodies], (body) => body.rows[0]);
      bodies.forEach((body) => table.insertBefore(body, table.tFoot));
    });
  }
}

const nameOf = (cell) => cell.querySelector("a")?.textContent ?? cell.textContent;

/** Shows or hides the call sites of a kernel. */
function unfold(button, isOpen) {
  button.setAttribute("aria-expanded", String(isOpen));
  button.textContent = isOpen ? "▾" : "▸";
  for (const row of button.closest("tbody").rows) {
    if (row.classList.contains("site")) row.hidden = !isOpen;
  }
}

/** The call sites that the page does not have yet, each by itself. */
async function addKernels(table, note) {
  const { rows } = await load();
  const columns = [...table.tHead.rows[0].cells].map((cell) => cell.dataset.column);
  const listed = new Set([...table.querySelectorAll("tbody tr")].map((row) => Number(row.dataset.row)));
  const made = rows.map((row, number) => {
    if (listed.has(number)) return null;
    const cells = columns.map((column) => {
      if (column === "name") {
        const place = row.location && element("span", { class: "place" }, row.location);
        return element("th", { scope: "row" }, link(`kernel/${number}`, row.name), place);
      }
      if (column === "ops") return element("td", { class: "ops" }, row.ops.join(", "));
      const text = row.cells[column];
      // As Rust writes them: nothing is least, and memory is before compute.
      const value = { "": -1, memory: 0, compute: 1 }[text] ?? Number.parseFloat(text);
      return element("td", { class: "number", "data-value": value }, text);
    });
    return element("tbody", {}, element("tr", { "data-row": number }, cells));
  });
  for (const body of flat(made)) table.insertBefore(body, table.tFoot);
  note.remove();
}

function startTables() {
  const table = byId("kernel-table");
  if (!table) return;
  makeSortable(table);
  for (const button of table.querySelectorAll(".unfold")) {
    button.addEventListener("click", () => unfold(button, button.getAttribute("aria-expanded") !== "true"));
    unfold(button, false);
  }
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
      for (const body of table.tBodies) {
        const text = body.textContent.toLowerCase();
        body.hidden = !words.every((word) => text.includes(word));
      }
    }),
  });
  table.closest(".scroll").before(element("p", { class: "controls" }, filter));
}
