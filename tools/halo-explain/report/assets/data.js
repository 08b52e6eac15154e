// The data of the report, which are decompressed when a part of the page needs them.

const parts = new Map();

/** A part of the data: "record", "texts", "view", "graph", "differences", "comparison". */
function part(name) {
  if (!parts.has(name)) parts.set(name, decode(name));
  return parts.get(name);
}

async function decode(name) {
  const text = byId("data-" + name)?.textContent;
  if (text === undefined) throw new Error(`the report has no data of the name ${name}`);
  if (!("DecompressionStream" in window)) {
    throw new Error("this browser is too old: it cannot decompress data (DecompressionStream)");
  }
  const stream = new Blob([bytesOfBase64(text)]).stream();
  const plain = stream.pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(plain).text());
}

function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

let model;

/** The record, what the page derives of it, and indices of both. */
function load() {
  model ??= Promise.all([part("record"), part("texts"), part("view")]).then(
    ([record, texts, view]) => index(record, texts, view),
  );
  return model;
}

function index(record, texts, view) {
  const rowOfCall = new Map();
  view.rows.forEach((row, number) => row.calls.forEach((call) => rowOfCall.set(call, number)));
  const kernelOfRow = new Map();
  for (const [number, kernel] of Object.entries(view.kernels)) kernel.rows.forEach((row) => kernelOfRow.set(row, number));
  const nodesOfOp = record.ops.map(() => []);
  record.nodes.forEach((node, number) => {
    for (const op of node.origins) nodesOfOp[op]?.push(number);
  });
  // A call has no node, but those of the function that it calls.
  const nodesOfCaller = record.ops.map(() => []);
  record.nodes.forEach((node, number) => {
    for (const op of node.callers) nodesOfCaller[op]?.push(number);
  });
  const opsOfLine = new Map();
  record.ops.forEach((op, number) => {
    if (op.line > 0) {
      if (!opsOfLine.has(op.line)) opsOfLine.set(op.line, []);
      opsOfLine.get(op.line).push(number);
    }
  });
  const rowsOfNode = (node) => [
    ...new Set(record.nodes[node].calls.map((call) => rowOfCall.get(call)).filter((row) => row !== undefined)),
  ];
  const rowsOfNodes = (nodes) => [...new Set(nodes.flatMap(rowsOfNode))];
  const rowsOfOp = (op) => rowsOfNodes(nodesOfOp[op]);
  /** The rows of an op, or of those that it is equal to. */
  const rowsOfEqual = (op) => (rowsOfOp(op).length ? rowsOfOp(op) : rowsOfNodes((view.merged[op] ?? []).flatMap((equal) => equal.nodes)));
  const rowsOfCaller = (op) => [...new Set(nodesOfCaller[op].flatMap(rowsOfNode))];
  let source;
  return {
    record,
    texts,
    rows: view.rows,
    kernels: view.kernels,
    plan: view.plan,
    remarks: view.remarks,
    merged: view.merged,
    withoutCode: view.without_code,
    edges: view.edges,
    rowOfCall,
    /** The number of the kernel that a row is one of several call sites of. */
    kernelOfRow,
    nodesOfOp,
    opsOfLine,
    rowsOfNode,
    rowsOfOp,
    rowsOfNodes,
    rowsOfEqual,
    rowsOfCaller,
    /** The lines of the program. */
    get source() {
      return (source ??= texts.source.split("\n"));
    },
  };
}

/** A node of the graph: an op, or an argument of the entry by a negative number. */
function nodeOf(record, number) {
  if (number >= 0) return record.nodes[number];
  const { name, type, bytes } = record.arguments[-1 - number];
  return { name, applied: "", results: shortType(type), detail: "argument", operands: [], origins: [], calls: [], flops: 0, transcendentals: 0, bytes };
}

/** `f32[8,16]` for `tensor<8x16xf32>`, as ops have it. */
function shortType(type) {
  const [, sizes, of] = /^tensor<((?:\d+x)*)([^?x][^?]*)>$/.exec(type) ?? [];
  return of === undefined ? type : `${of}[${sizes.split("x").filter(Boolean).join(",")}]`;
}

/** The name of a node with what it applies to elements, such as "reduce add". */
function titleOf({ name, applied }) {
  return applied ? `${shortName(name)} ${applied}` : shortName(name);
}

/** Where the function of a node was called, such as ", called at line 334". */
function calledAt(model, node) {
  return node.callers.map((op) => [", called at ", placeOfOp(model, op)]);
}

/** The op that an op was found to be equal to, with its place. */
function equalTo(model, { op, nodes }) {
  const node = nodes.length ? model.record.nodes[nodes[0]] : undefined;
  return [shortName(model.record.ops[op].name), " of ", placeOfOp(model, op), node && calledAt(model, node)];
}

/** A link to the line of an op in the program, or its place if the program is another file. */
function placeOfOp(model, number) {
  const op = model.record.ops[number];
  if (!op) return "";
  return op.line > 0 ? link(`source/${op.line}`, `line ${op.line}`) : shortPlace(model, op.location);
}
