import json
import os
import urllib.request
import uuid

URL = os.environ["ATELIER_URL"]
KEY = os.environ["ATELIER_API_KEY"]


def call(method, path, body=None, headers={}):
    request = urllib.request.Request(
        URL + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {KEY}", "Content-Type": "application/json", **headers},
    )
    with urllib.request.urlopen(request, timeout=90) as response:
        return json.load(response)


# Keep the key before you send: the same key is the same task, however often it arrives.
order = {"Idempotency-Key": f"order-{uuid.uuid4()}"}
image = {"model": "gen-image-2", "prompt": "A lighthouse at dusk", "size": "1200x672"}
accepted = call("POST", "/v1/images/tasks", image, order)
print(accepted["state"])

task = accepted
while task["state"] not in ("completed", "failed"):
    task = call("GET", f"/v1/tasks/{accepted['task_id']}?wait=30")
print(task["state"])

if task["state"] == "failed":
    raise SystemExit(f"{task['error']['code']}: {task['error']['message']}")
urllib.request.urlretrieve(task["result_url"], "lighthouse.png")
print(f"lighthouse.png for {task['billing']['charged'] / 500_000} USD")
