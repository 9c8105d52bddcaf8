/**
 * The request that submitted a task, by which support finds it (contract, Later decisions: Answers). Ids of requests
 * grow with time, so that the index grows at its end; tasks of embedders who name none are not in it.
 */
export default `
ALTER TABLE tasks ADD COLUMN request_id TEXT;
CREATE INDEX tasks_by_request ON tasks (request_id) WHERE request_id IS NOT NULL;
`
