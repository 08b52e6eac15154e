// The program, with the kernels that each line became a part of.

let sourceView;

async function showSource(path) {
  sourceView ??= new SourceView(await load());
  sourceView.choose(Number(path[0]) || 0);
}

class SourceView {
  constructor(model) {
    this.model = model;
    const lines = model.source.at(-1) === "" ? model.source.slice(0, -1) : model.source;
    this.shareOf = new Map();
    for (const [line, ops] of model.opsOfLine) {
      const rows = new Set(ops.flatMap(model.rowsOfEqual));
      const share = [...rows].reduce((sum, row) => sum + model.rows[row].share, 0);
      if (rows.size) this.shareOf.set(line, share);
    }
    const most = Math.max(1e-12, ...this.shareOf.values());
    this.list = new Lines("Source");
    this.list.box.classList.add("source-lines");
    this.details = element("div", { class: "side" });
    replace(
      byId("source-view"),
      element(
        "p",
        { class: "quiet" },
        model.rows.length ? "Before a line stands the time of the kernels that it is a part of, in percent of a run; its own time is a part of that, which it shares with the other lines of these kernels. " : "",
        "Click a line for what became of it.",
      ),
      element("div", { class: "graph" }, this.list.box, this.details),
    );
    if (!lines.length) byId("source-view").prepend(element("p", {}, "The report has no text of the program."));
    const widest = Math.max(20, ...lines.map((line) => line.length)) + 20;
    this.list.set(lines.length, widest, (index) => {
      const number = index + 1;
      const share = this.shareOf.get(number);
      const tag = element("span", { class: "heat-tag" }, share === undefined ? "" : `of ${percent(share)}`);
      if (share !== undefined) tag.style.background = `rgba(var(--heat), ${(Math.sqrt(share / most) * 0.6).toFixed(3)})`;
      const line = element(
        "div",
        { class: "line" + (number === this.chosen ? " chosen" : "") },
        tag,
        element("a", { class: "line-number", href: `#source/${number}` }, number),
        ...colored(lines[index]),
      );
      line.addEventListener("click", () => (location.hash = `#source/${number}`));
      return line;
    });
  }

  choose(number) {
    const isSeen = this.chosen !== undefined;
    this.chosen = number;
    this.list.draw(true);
    if (number > 0) {
      const { scrollTop, clientHeight } = this.list.box;
      const place = (number - 1) * this.list.pitch;
      if (!isSeen || place < scrollTop || place > scrollTop + clientHeight - 40) this.list.show(number - 1);
    }
    replace(this.details, ...this.describe(number));
    if (number > 0) this.details.firstElementChild?.scrollIntoView({ block: "nearest" });
  }

  /** The kernels that compute an op, or an equal one, or what it calls. */
  kernels(op, rows) {
    const { model } = this;
    const links = (rows) => rows.map((row, index) => [index ? ", " : "", link(`kernel/${row}`, model.rows[row].name), ` (${percent(model.rows[row].share)} of the time)`]);
    if (rows.length) return ["A part of ", links(rows)];
    const called = model.rowsOfCaller(op);
    if (called.length) return ["Its function has its ops in ", links(called)];
    const equal = model.merged[op];
    if (!equal) return model.withoutCode[op] ?? "No kernel computes it.";
    return equal.map((it) => {
      const of = model.rowsOfNodes(it.nodes);
      return ["Equal to ", equalTo(model, it), of.length ? [", computed in ", links(of)] : ", which no kernel computes", ". "];
    });
  }

  describe(number) {
    const { model } = this;
    const ops = model.opsOfLine.get(number);
    if (!number) return [];
    if (!ops) return [element("p", { class: "quiet" }, `No op of the program is at line ${number}.`)];
    return ops.slice(0, 20).map((op) => {
      const rows = model.rowsOfOp(op);
      const nodes = model.nodesOfOp[op];
      return element(
        "div",
        {},
        element("h3", {}, shortName(model.record.ops[op].name)),
        element("p", { class: "quiet" }, shortPlace(model, model.record.ops[op].location)),
        element("p", {}, this.kernels(op, rows)),
        nodes.length > 0 && element("p", {}, "In the graph: ", nodes.slice(0, 8).map((node) => [link(`graph/n${node}`, titleOf(model.record.nodes[node])), " "])),
        element("p", {}, link(`ir/op/${op}`, "What every pass made of it")),
        remarkList(model, nodes),
      );
    });
  }
}
