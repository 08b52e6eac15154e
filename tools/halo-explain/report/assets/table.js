// Tables: where one is wider than the page, it has less space between columns, then only those that
// matter most, which a button changes; where that is too wide as well, its rows become cards, with
// the titles of the columns before the cells.
//
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

const nameOf = (cell) => cell.querySelector("a:not(.word)")?.textContent ?? cell.textContent;

/** Shows or hides the call sites of a kernel. */
function unfold(button, isOpen) {
  button.setAttribute("aria-expanded", String(isOpen));
  button.textContent = isOpen ? "▾" : "▸";
  for (const row of button.closest("tbody").rows) {
    if (row.classList.contains("site")) row.hidden = !isOpen;
  }
}

/** The forms of a table, the widest first. */
const FORMS = [[], ["tight"], ["tight", "main-only"]];

/** Gives each table that is seen the widest form that there is space for. */
function fitTables() {
  for (const box of document.querySelectorAll("main > section:not([hidden]) .scroll")) {
    const table = box.querySelector("table");
    if (!table) continue;
    box.classList.remove("of-cards");
    table.classList.remove("cards");
    const more = box.previousElementSibling?.matches(".all-columns") ? box.previousElementSibling : null;
    const forms = table.classList.contains("sortable") ? FORMS : [[]];
    const fits = (form) => {
      table.classList.remove("tight", "main-only");
      table.classList.add(...form);
      return box.scrollWidth <= box.clientWidth;
    };
    const form = forms.find(fits);
    const hasLess = form?.includes("main-only") ?? false;
    if (hasLess) allColumns(box, table, more);
    else more?.remove();
    if (form) continue;
    table.classList.remove("tight", "main-only");
    box.classList.add("of-cards");
    table.classList.add("cards");
    labelCells(table);
  }
}

/** A button for the columns that a table has no space for: with them, it is scrolled. */
function allColumns(box, table, known) {
  if (known) {
    table.classList.toggle("main-only", known.dataset.open !== "true");
    return;
  }
  const button = element("button", { type: "button", "aria-expanded": "false" }, "all columns");
  const line = element("p", { class: "controls all-columns" }, button);
  button.addEventListener("click", () => {
    const isOpen = table.classList.toggle("main-only") === false;
    line.dataset.open = isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
    button.textContent = isOpen ? "fewer columns" : "all columns";
  });
  box.before(line);
}

/** Gives cells the titles of their columns, and cards a button for what they leave out. */
function labelCells(table) {
  const titles = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
  for (const row of table.querySelectorAll("tbody tr, tfoot tr")) {
    for (const cell of row.cells) if (cell.tagName === "TD") cell.dataset.label = titles[cell.cellIndex];
    const hasMore = row.querySelector(".minor:not(:empty)") && !row.querySelector(".all-figures");
    if (hasMore) row.cells[0].prepend(allFigures(row));
  }
}

function allFigures(row) {
  const button = element("button", { type: "button", class: "all-figures", "aria-expanded": "false" }, "all figures");
  button.addEventListener("click", () => {
    const isOpen = row.classList.toggle("open");
    button.setAttribute("aria-expanded", String(isOpen));
    button.textContent = isOpen ? "fewer figures" : "all figures";
  });
  return button;
}

/** The call sites that the page does not have yet: below their kernel, or each by itself. */
async function addKernels(table, note) {
  const { rows } = await load();
  const columns = [...table.tHead.rows[0].cells].map((cell) => cell.dataset.column);
  const minor = new Set([...table.tHead.querySelectorAll(".minor")].map((cell) => cell.dataset.column));
  const listed = new Set([...table.querySelectorAll("tbody tr")].map((row) => Number(row.dataset.row)));
  const sums = [...table.querySelectorAll("tr.sum")];
  const bodyOf = new Map(sums.map((sum) => [nameOf(sum.cells[0]), sum.closest("tbody")]));
  const made = rows.map((row, number) => {
    if (listed.has(number)) return null;
    const cells = columns.map((column) => {
      if (column === "name") {
        return element(
          "th",
          { scope: "row" },
          element("span", { class: "name" }, link(`kernel/${number}`, row.name), row.work && [" ", element("span", { class: "work" }, row.work)]),
          row.place && element("span", { class: "place" }, row.place),
          row.ops.length > 0 && element("span", { class: "place ops" }, row.ops.join(", ")),
        );
      }
      const text = row.cells[column];
      // As Rust writes them: nothing is least, then caches, memory, compute and starts.
      const value = { "": -1, memory: 9, compute: 10, start: 11 }[text] ?? Number.parseFloat(text.replace(/^L/, ""));
      return element("td", { class: minor.has(column) ? "number minor" : "number", "data-value": value }, text);
    });
    const body = bodyOf.get(row.name);
    const made = element("tr", { "data-row": number, class: body && "site", hidden: body?.querySelector(".unfold").getAttribute("aria-expanded") === "false" }, cells);
    if (body) body.append(made);
    return body ? null : element("tbody", {}, made);
  });
  for (const body of flat(made)) table.insertBefore(body, table.tFoot);
  note.remove();
  fitTables();
}

function startTables() {
  const table = byId("kernel-table");
  if (!table) return;
  makeSortable(table);
  for (const button of table.querySelectorAll(".unfold")) {
    button.addEventListener("click", () => {
      unfold(button, button.getAttribute("aria-expanded") !== "true");
      fitTables();
    });
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
