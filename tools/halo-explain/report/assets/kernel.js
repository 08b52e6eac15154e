// A kernel: what it was made of, how fast it is, its loops, its IR and its machine code.

const drawnKernel = { number: undefined };

async function showKernel(number) {
  const view = byId("kernel-view");
  if (drawnKernel.number === number) return;
  drawnKernel.number = number;
  const model = await load();
  const row = model.rows[number];
  if (!row) {
    replace(view, element("p", {}, "There is no kernel of this number in this report."));
    return;
  }
  const calls = row.calls.map((call) => model.record.calls[call]);
  const kernels = [...new Set(calls.map((call) => call.kernel).filter((it) => it !== null))];
  const sites = model.rows.map((other, index) => [other, index]).filter(([other]) => other.name === row.name);
  replace(
    view,
    element(
      "p",
      { class: "steps" },
      number > 0 && link(`kernel/${number - 1}`, "← slower"),
      link("kernels", `call site ${number + 1} of ${model.rows.length}`),
      number + 1 < model.rows.length && link(`kernel/${number + 1}`, "faster →"),
      link(`graph/k${number}`, "in the graph"),
    ),
    element("h3", { class: "name" }, row.name, " ", row.work && [element("span", { class: "work" }, row.work), " "], element("span", { class: "quiet" }, row.location)),
    sites.length > 1 && sitesOf(sites, number),
    reasonsOf(row),
    calls[0]?.tasks && element("p", {}, tasksOf(calls[0].tasks, model.record.threads)),
    figures(row),
    element(
      "div",
      { class: "columns" },
      element("div", {}, joinedOf(row), element("h3", {}, "Made of"), opTable(model, row.nodes)),
      element("div", {}, loopNests(model, kernels), bufferTable(model, calls, row), remarkList(model, row.nodes)),
    ),
    kernels.map((kernel) => codeOf(model, kernel, row)),
  );
}

/** What limits a kernel, and what is known of the time above that. */
function reasonsOf(row) {
  return row.verdict.length > 0 && element("ul", { class: "reasons" }, row.verdict.map((sentence) => element("li", {}, sentence)));
}

/** The call sites of a kernel, of which one is shown. */
function sitesOf(sites, number) {
  const all = sites.reduce((sum, [row]) => sum + row.share, 0);
  return element(
    "p",
    {},
    `This is one of ${sites.length} call sites of the kernel, which have ${percent(all)} of the time together: `,
    sites.map(([row, index], place) => [
      place ? ", " : "",
      index === number ? element("strong", {}, row.location) : link(`kernel/${index}`, row.location),
      ` ${percent(row.share)}`,
    ]),
  );
}

/** The passes that joined its ops. */
function joinedOf(row) {
  if (!row.joined.length) return null;
  return [
    element("h3", {}, "How it was fused"),
    element(
      "ul",
      { class: "plain" },
      row.joined.map(([pass, ops]) => element("li", {}, element("code", {}, pass), ` joined ${ops}`)),
    ),
  ];
}

function tasksOf([iterations, least], threads) {
  if (iterations <= least) {
    return `Its ${counted(iterations, "iteration")} are one task, since one of fewer than ${least} is not worth it: a thread runs all of them.`;
  }
  const tasks = Math.min(Math.ceil(iterations / least), threads || Infinity);
  return `It divides ${counted(iterations, "iteration")} among threads, at least ${least} to a task: up to ${counted(tasks, "task")}.`;
}

/** What a column of the table of kernels means. */
const meaningOf = (title) => title.querySelector("button")?.title ?? title.title;

/** The figures of the table of kernels, by its titles. */
function figures(row) {
  const titles = [...document.querySelectorAll("#kernel-table thead th[data-column]")];
  const shown = titles.filter((title) => row.cells[title.dataset.column]);
  return element(
    "dl",
    { class: "facts figures" },
    shown.map((title) =>
      element(
        "div",
        {},
        element("dt", {}, element("a", { class: "word", href: "#kernels", "data-meaning": meaningOf(title) }, title.textContent)),
        element("dd", {}, row.cells[title.dataset.column]),
      ),
    ),
  );
}

/** The ops of the program that nodes were made of. */
function originsOf(model, nodes) {
  return [...new Set(nodes.flatMap((node) => model.record.nodes[node].origins))].sort((a, b) => a - b);
}

const MOST_OPS = 300;

function opTable(model, nodes) {
  if (!nodes.length) return element("p", { class: "quiet" }, "No op of the program is known for it.");
  const { record } = model;
  const lines = nodes.slice(0, MOST_OPS).map((number) => {
    const node = record.nodes[number];
    const origins = node.origins.filter((op) => record.ops[op]);
    return element(
      "li",
      {},
      element(
        "p",
        {},
        link(`graph/n${number}`, element("strong", {}, titleOf(node))),
        node.detail && ` ${clipped(node.detail, 90)}`,
        " ",
        element("code", { class: "quiet" }, node.results),
      ),
      origins.slice(0, 4).map((op) => {
        const { line } = record.ops[op];
        const text = line > 0 ? model.source[line - 1] : record.ops[op].name;
        return element(
          "p",
          { class: "source-line" },
          placeOfOp(model, op),
          calledAt(model, node),
          " ",
          element("code", {}, ...colored((text ?? "").trim())),
          " ",
          "· ",
          element("a", { class: "quiet", href: `#ir/op/${op}`, title: "This op after every pass" }, "follow"),
        );
      }),
      origins.length > 4 && element("p", { class: "quiet" }, `and ${origins.length - 4} more lines`),
    );
  });
  const more = nodes.length - MOST_OPS;
  return element(
    "ul",
    { class: "ops" },
    lines,
    more > 0 && element("li", {}, `and ${more} more ops, which are not listed here`),
  );
}

function loopNests(model, kernels) {
  const nests = kernels.map((kernel) => model.record.kernels[kernel]?.loops ?? []).filter((loops) => loops.length);
  if (!nests.length) return null;
  const nest = (loops) =>
    element(
      "ul",
      { class: "loops" },
      loops.map((loop) => {
        const ops = loop.ops.map(([name, count]) => (count > 1 ? `${count} ${name}` : name));
        const times = loop.iterations === null ? "" : `${loop.iterations} times`;
        const item = element(
          "li",
          {},
          element("code", {}, loop.text),
          " ",
          element("span", { class: "quiet" }, times),
          ops.length ? element("p", { class: "quiet" }, ops.join(", ")) : null,
        );
        item.style.marginInlineStart = `${Math.min(loop.depth, 12) * 16}px`;
        return item;
      }),
    );
  return [
    element("h3", {}, "Loops"),
    element("p", { class: "quiet" }, "The outermost first, with the ops in each that are in no inner loop. Bounds that are only known when the kernel runs are called begin, end and n."),
    nests.map(nest),
  ];
}

/** The name of the argument that a buffer is. */
function argumentOf(model, buffer) {
  const number = /^argument (\d+)$/.exec(buffer.name)?.[1];
  const name = number && model.record.arguments[number]?.name;
  return name && [" ", element("code", { class: "quiet" }, name)];
}

/** What a buffer of the arena holds in a call: what the call writes there, or what was written before. */
function valueOf(model, buffer, call) {
  const plan = model.plan?.buffers[buffer.arena];
  const written = plan?.values.filter(([writer]) => (buffer.is_written ? writer <= call : writer < call)) ?? [];
  return written.length ? written[written.length - 1][1] : plan?.label;
}

function bufferTable(model, calls, row) {
  const buffers = calls[0]?.buffers ?? [];
  if (!buffers.length) return null;
  const rows = buffers.map((buffer) =>
    element(
      "tr",
      {},
      element("td", { class: "whole" }, buffer.arena === null ? [buffer.name, argumentOf(model, buffer)] : link(`memory/${buffer.arena}`, valueOf(model, buffer, row.calls[0]) || buffer.name)),
      element("td", { class: "whole" }, element("code", {}, buffer.type)),
      element("td", { class: "number" }, buffer.bytes === null ? "" : size(buffer.bytes)),
      element("td", { class: "number" }, buffer.touched === null ? "" : size(buffer.touched)),
    ),
  );
  const others = calls.length > 1 ? ` of the first of ${calls.length} calls` : "";
  const head = ["buffer", "type", "size", "touched"].map((title, index) =>
    element("th", { scope: "col", class: index > 1 ? "number" : undefined, title: index === 3 ? "what a call reads or writes of it" : undefined }, title),
  );
  return [
    element("h3", {}, "Buffers" + others),
    element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows))),
  ];
}

function remarkList(model, nodes) {
  const origins = new Set(originsOf(model, nodes));
  // Two calls of a function have the same ops, but nodes of their own.
  const own = new Set(nodes);
  const remarks = model.record.remarks.filter((remark) =>
    remark.nodes.length ? remark.nodes.some((node) => own.has(node)) : remark.origins.some((op) => origins.has(op)),
  );
  if (!remarks.length) return null;
  const shown = remarks.slice(0, 30);
  return [
    element("h3", {}, "What was not fused, and what is copied"),
    element(
      "ul",
      { class: "remarks" },
      shown.map((remark) => remarkItem(model, remark)),
      remarks.length > 30 && element("li", {}, `and ${remarks.length - 30} more, see `, link("decisions", "Decisions")),
    ),
  ];
}

function remarkItem(model, remark) {
  const op = remark.origins[0];
  const { outcome, called, notes } = model.remarks[model.record.remarks.indexOf(remark)];
  const pass = model.record.steps[remark.step];
  return element(
    "li",
    { class: remark.severity },
    element(
      "p",
      {},
      model.record.ops[op] && [link(`ir/op/${op}`, element("code", {}, shortName(model.record.ops[op].name))), " "],
      remark.message,
    ),
    element(
      "p",
      { class: "quiet" },
      pass && link(`ir/${remark.step}`, passName(pass.pass).split("{")[0]),
      " ",
      op === undefined ? shortPlace(model, remark.location) : placeOfOp(model, op),
      called,
      notes.map(([about, text]) => [element("br"), about ? `${text}: ${about}` : text]),
      outcome && [element("br"), element("span", { class: "joined" }, outcome.text)],
    ),
  );
}

/** IR and assembly, beside each other or, on narrow pages, one of both. */
function codeOf(model, number, row) {
  const kernel = model.record.kernels[number];
  const [text, assembly] = model.texts.kernels[number] ?? [{ lines: [], origins: [] }, ""];
  if (!text.lines.length && !assembly) return null;
  const marked = new Set(originsOf(model, row.nodes));
  const sites = model.rows.filter((other) => other.name === row.name).length;
  const panes = [];
  if (text.lines.length) panes.push(["IR", functionLines(model, text).list]);
  if (assembly) panes.push(["Assembly", assemblyLines(assembly)]);
  const box = element("div", { class: "panes", "data-shown": 0 });
  const choose = panes.map(([title], index) =>
    element(
      "button",
      {
        type: "button",
        "aria-pressed": String(index === 0),
        onclick: () => {
          box.dataset.shown = index;
          choose.forEach((button, other) => button.setAttribute("aria-pressed", other === index));
        },
      },
      title,
    ),
  );
  box.append(
    ...panes.map(([title, list], index) =>
      element("div", { class: "pane", "data-pane": index }, element("h4", {}, title), list.box),
    ),
  );
  return element(
    "div",
    { class: "kernel-code" },
    element("h3", {}, "Code of ", element("code", {}, kernel.name)),
    panes.length > 1 && element("p", { class: "controls choose" }, choose),
    box,
    text.lines.length > 0 && element("p", { class: "quiet" }, `Numbers before lines are lines of the program${sites > 1 ? ", those of the call site that the kernel was made for" : ""}.`),
  );
}

function assemblyLines(assembly) {
  const lines = assembly.replace(/\n$/, "").split("\n").map((line) => line.replaceAll("\t", "    "));
  const list = new Lines("Assembly");
  list.set(lines.length, Math.max(...lines.map((line) => line.length)), (number) =>
    element("div", { class: "line" }, ...colored(lines[number], ASSEMBLY)),
  );
  return list;
}
