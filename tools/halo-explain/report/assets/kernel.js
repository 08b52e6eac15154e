// Kernels and their call sites: what each was made of, how fast it is, its loops, its IR and its
// machine code.

let drawnKernel;

/** Draws the page of a kernel or a call site, unless it is drawn already. */
async function drawKernel(address, draw) {
  if (drawnKernel === address) return;
  drawnKernel = address;
  replace(byId("kernel-view"), draw(await load()) ?? element("p", {}, "There is no kernel of this number in this report."));
}

/** A kernel with all of its call sites. */
function showKernel(number) {
  return drawKernel(`sites/${number}`, (model) => {
    const kernel = model.kernels[number];
    if (!kernel) return null;
    const rows = kernel.rows.map((row) => model.rows[row]);
    return [
      element("p", { class: "steps" }, link("kernels", "all kernels")),
      title(kernel, `${rows.length} call sites, ${percent(kernel.share)} of the time`),
      reasonsOf(kernel),
      kernel.tasks.map((sentence) => element("p", {}, sentence)),
      figures(kernel),
      element("h3", {}, "Call sites"),
      siteTable(model, kernel),
      loopNests(model, kernelsOf(model, rows)),
      kernelsOf(model, rows).map((it) => codeOf(model, it, kernel)),
    ];
  });
}

/** One call site of a kernel. */
function showCallSite(number) {
  return drawKernel(number, (model) => {
    const row = model.rows[number];
    if (!row) return null;
    const calls = row.calls.map((call) => model.record.calls[call]);
    const kernels = kernelsOf(model, [row]);
    return [
      element(
        "p",
        { class: "steps" },
        number > 0 && link(`kernel/${number - 1}`, "← slower"),
        link("kernels", `call site ${number + 1} of ${model.rows.length}`),
        number + 1 < model.rows.length && link(`kernel/${number + 1}`, "faster →"),
        link(`graph/k${number}`, "in the graph"),
      ),
      title(row, row.location),
      otherSites(model, number),
      reasonsOf(row),
      row.tasks.map((sentence) => element("p", {}, sentence)),
      figures(row),
      element(
        "div",
        { class: "columns" },
        element("div", {}, joinedOf(row), element("h3", {}, "Made of"), opTable(model, row.nodes)),
        element("div", {}, loopNests(model, kernels), bufferTable(model, calls, row), remarkList(model, row.nodes)),
      ),
      kernels.map((kernel) => codeOf(model, kernel, row)),
    ];
  });
}

function title({ name, work }, about) {
  return element("h3", { class: "name" }, name, " ", work && [element("span", { class: "work" }, work), " "], element("span", { class: "quiet" }, about));
}

/** The kernels that rows call, each once. */
function kernelsOf(model, rows) {
  const calls = rows.flatMap((row) => row.calls.map((call) => model.record.calls[call]));
  return [...new Set(calls.map((call) => call.kernel).filter((it) => it !== null))];
}

/** What limits a kernel, and what is known of the time above that. */
function reasonsOf(row) {
  return row.verdict.length > 0 && element("ul", { class: "reasons" }, row.verdict.map((sentence) => element("li", {}, sentence)));
}

/** What is said of the other call sites of a kernel where one is shown. */
function otherSites(model, number) {
  const of = model.kernelOfRow.get(number);
  if (of === undefined) return null;
  const { rows, share } = model.kernels[of];
  return element(
    "p",
    {},
    `This is one of ${rows.length} call sites of `,
    link(`kernel/sites/${of}`, "the kernel"),
    `, which have ${percent(share)} of the time together; its page divides the time of all of them.`,
  );
}

/** The figures of call sites that differ from one to the other. */
const OF_SITES = ["share", "calls", "mean us", "of limit", "could save", "waiting", "idle", "MB", "MFLOP"];
const MOST_SITES = 500;

function siteTable(model, { rows }) {
  const titles = columnTitles().filter((title) => OF_SITES.includes(title.textContent));
  const head = titles.map((title) => element("th", { scope: "col", class: "number", title: meaningOf(title) }, title.textContent));
  const lines = rows.slice(0, MOST_SITES).map((number) => {
    const row = model.rows[number];
    return element(
      "tr",
      {},
      element(
        "th",
        { scope: "row" },
        element("span", { class: "name" }, link(`kernel/${number}`, row.location || `call site ${number + 1}`)),
        row.ops.length > 0 && element("span", { class: "place ops" }, row.ops.join(", ")),
      ),
      titles.map((title) => element("td", { class: "number" }, row.cells[title.dataset.column])),
    );
  });
  const more = rows.length - MOST_SITES;
  return [
    element(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Call sites" },
      element("table", {}, element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "call site"), head)), element("tbody", {}, lines)),
    ),
    more > 0 && element("p", {}, `${more} cheaper ones are not listed here; the table of all kernels has them.`),
  ];
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

/** What a column of the table of kernels means. */
const meaningOf = (title) => title.querySelector("button")?.title ?? title.title;

/** The titles of the columns of figures in the table of kernels. */
const columnTitles = () => [...document.querySelectorAll("#kernel-table thead th[data-column]")];

/** The figures of the table of kernels, by its titles. */
function figures(row) {
  const shown = columnTitles().filter((title) => row.cells[title.dataset.column]);
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

/** What a buffer of the arena holds in a call: what the call reads of it and writes there, or what was written before. */
function valueOf(model, buffer, call) {
  const plan = model.plan?.buffers[buffer.arena];
  const written = plan?.values.filter(([writer]) => (buffer.is_written ? writer <= call : writer < call)) ?? [];
  const [writer, label, reads] = written.at(-1) ?? [null, plan?.label, false];
  return writer === call && reads ? `${written.at(-2)[1]}, and over it ${label}` : label;
}

function bufferTable(model, calls, row) {
  const buffers = calls[0]?.buffers ?? [];
  if (!buffers.length) return null;
  const rows = buffers.map((buffer) =>
    element(
      "tr",
      {},
      element("td", { class: "whole" }, buffer.arena === null ? [buffer.name, argumentOf(model, buffer)] : link(`memory/${buffer.arena}`, valueOf(model, buffer, row.calls[0]) || buffer.name)),
      element("td", { class: buffer.type.length < 48 ? "whole type" : "whole" }, element("code", {}, buffer.type)),
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
    element("div", { class: "scroll" }, element("table", { class: "buffers" }, element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows))),
  ];
}

function remarkList(model, nodes) {
  const origins = new Set(originsOf(model, nodes));
  // Two calls of a function have the same ops, but nodes of their own.
  const own = new Set(nodes);
  const remarks = model.record.remarks.filter((remark) =>
    remark.nodes.length ? remark.nodes.some((node) => own.has(node)) : remark.origins.some((op) => origins.has(op)),
  );
  // What remarks say of a pair is there already.
  const edges = model.edges.filter((edge) => !edge.is_told && (own.has(edge.from) || own.has(edge.to)));
  if (!remarks.length && !edges.length) return null;
  const shown = remarks.slice(0, 30);
  return [
    element("h3", {}, "What was not fused, and what is copied"),
    element(
      "ul",
      { class: "remarks" },
      shown.map((remark) => remarkItem(model, remark)),
      edges.slice(0, 12).map((edge) => element("li", {}, element("p", {}, edge.text), element("p", { class: "quiet" }, edge.reasons.join("; ")))),
      edges.length > 12 && element("li", {}, `and ${edges.length - 12} more values between kernels, see `, link("decisions", "Decisions")),
      remarks.length > 30 && element("li", {}, `and ${remarks.length - 30} more, see `, link("decisions", "Decisions")),
    ),
  ];
}

function remarkItem(model, remark) {
  const op = remark.origins[0];
  const { is_of_operand: isOfOperand, outcome, called, notes } = model.remarks[model.record.remarks.indexOf(remark)];
  const pass = model.record.steps[remark.step];
  return element(
    "li",
    { class: remark.severity },
    element(
      "p",
      {},
      isOfOperand && "the operand of ",
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
function codeOf(model, number, { name }) {
  const kernel = model.record.kernels[number];
  const [text, assembly] = model.texts.kernels[number] ?? [{ lines: [], origins: [] }, ""];
  if (!text.lines.length && !assembly) return null;
  const sites = model.rows.filter((other) => other.name === name).length;
  const first = model.record.calls.findIndex((call) => call.kernel === number);
  const panes = [];
  if (text.lines.length) panes.push(["IR", functionLines(model, text).list]);
  if (assembly) panes.push(["Assembly", assemblyLines(assembly, kernel.samples)]);
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
    text.lines.length > 0 && element("p", { class: "quiet" }, sites > 1
      ? ["It is compiled once, for all of its call sites. The numbers before lines are lines of the program, for the first call site, ", siteOf(model, first), "."]
      : "Numbers before lines are lines of the program."),
  );
}

/** The lines of a call site, such as "line 354, called at line 41". */
function siteOf(model, call) {
  const { location, callers } = model.record.calls[call];
  const lines = [location, ...callers].map((place) => {
    const op = model.record.ops.findIndex((it) => it.location === place);
    return op < 0 ? shortPlace(model, place) : placeOfOp(model, op);
  });
  return lines.map((line, index) => [index ? ", called at " : "", line]);
}

/** Lines of assembly; those that begin a block have the part of the samples that were found in it. */
function assemblyLines(assembly, samples) {
  const lines = assembly.replace(/\n$/, "").split("\n").map((line) => line.replaceAll("\t", "    "));
  const shares = sharesOfBlocks(lines, samples);
  const list = new Lines("Assembly");
  list.set(lines.length, Math.max(...lines.map((line) => line.length)), (number) => {
    const share = shares.get(number);
    const told = share && element("span", { class: "quiet" }, `  # ${share} of samples`);
    return element("div", { class: "line" }, ...colored(lines[number], ASSEMBLY), ...(told ? [told] : []));
  });
  return list;
}

/** The part of all samples in each block, by the number of the line with its label. */
function sharesOfBlocks(lines, samples) {
  const all = samples.reduce((sum, { count }) => sum + count, 0);
  const counts = new Map(samples.map((it) => [`${it.function} ${it.block}`, it.count]));
  const shares = new Map();
  let name = "";
  lines.forEach((line, number) => {
    const [, label] = /^([^\s:#]+):/.exec(line) ?? [];
    if (!label) return;
    const block = /^\.LBB\d+_(\d+)$/.exec(label);
    if (!block && label.startsWith(".")) return;
    if (!block) name = label;
    const count = counts.get(`${name} ${block ? block[1] : 0}`);
    if (count) shares.set(number, `${((100 * count) / all).toFixed(1)}%`);
  });
  return shares;
}
