/**
 * Reference images that came inside a request, up to 16 MiB for each task, while it is unfinished. In the task's own
 * row they would be read with every page of a list, a hundred at once, and written again at every change.
 */
export default `
CREATE TABLE task_images (
  task_id TEXT PRIMARY KEY,
  images TEXT NOT NULL
) STRICT;
`
