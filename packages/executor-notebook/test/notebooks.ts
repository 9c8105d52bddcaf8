const code = (source: unknown, ...outputs: ReadonlyArray<unknown>) => ({
  cell_type: "code",
  execution_count: 1,
  metadata: {},
  source,
  outputs,
})

const markdown = (source: unknown, more: object = {}) => ({
  cell_type: "markdown",
  metadata: {},
  source,
  ...more,
})

const raw = (source: unknown) => ({ cell_type: "raw", metadata: {}, source })

const stream = (text: unknown) => ({ output_type: "stream", name: "stdout", text })

const result = (data: unknown) => ({ output_type: "execute_result", execution_count: 1, metadata: {}, data })

/** Cells and outputs as Jupyter writes them. */
export const make = { code, markdown, raw, stream, result }

/** The JSON of a notebook; `more` replaces fields of its top. */
export const notebook = (cells: unknown, more: object = {}): string =>
  JSON.stringify({
    cells,
    metadata: { kernelspec: { language: "python", name: "python3" }, language_info: { name: "python" } },
    nbformat: 4,
    nbformat_minor: 5,
    ...more,
  })

/** One of everything. */
export const whole = notebook([
  markdown(["# Tides\n", "\n", "*High* water at 6."], { attachments: { "a.png": { "image/png": "iVBO" } } }),
  code(
    "import os\n\nprint('hi')",
    stream(["hi\n", "there\n"]),
    result({ "text/plain": "<Figure>", "image/png": "iVBO", "text/html": "<img>" }),
    result({ "text/markdown": ["**bold**\n"], "text/plain": "bold" }),
    result({ "application/json": { deep: [1] } }),
    {
      output_type: "error",
      ename: "ValueError",
      evalue: "bad",
      traceback: ["\u001b[0;31mValueError\u001b[0m", "bad `x`"],
    },
  ),
  raw("\\section{Tides}"),
  code(""),
])
