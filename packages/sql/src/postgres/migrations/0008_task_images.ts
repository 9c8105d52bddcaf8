/** As on SQLite. */
export default `
CREATE TABLE task_images (
  task_id TEXT COLLATE "C" PRIMARY KEY,
  images TEXT COLLATE "C" NOT NULL
);
`
