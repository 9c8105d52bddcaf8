import { type Fault, faultsOf } from "./fault.ts"

const services = "test/services"
const unit = "packages/core/test"

/** Money, states, access, idempotency, and the workers. */
export const core: ReadonlyArray<Fault> = [
  ...faultsOf(
    "packages/core/src/workers/LeasedWrites.ts",
    [services, unit],
    [
      [
        "a step is written without proof of the lease",
        "Effect.andThen(queue.verify(job), transitions.apply(seen, event, patch))",
        "transitions.apply(seen, event, patch)",
      ],
      [
        "fields are written without proof of the lease",
        "Effect.andThen(queue.verify(job), transitions.amend(seen, patch))",
        "transitions.amend(seen, patch)",
      ],
      [
        "a task fails without proof of the lease",
        'queue.verify(job),\n                  transitions.apply(seen, "fail"',
        'Effect.void,\n                  transitions.apply(seen, "fail"',
      ],
      [
        "a lost task keeps its job",
        'Effect.andThen(queue.complete(job), transitions.apply(seen, "markUnknown", { deadlineAt }))',
        'transitions.apply(seen, "markUnknown", { deadlineAt })',
      ],
      ["retries do not wait longer each time", "1000 * 2 ** (job.attempt - 1)", "1000"],
    ],
  ),
  ...faultsOf(
    "packages/core/src/workers/RunImage.ts",
    [services, "packages/models/test/app"],
    [
      [
        "another channel is asked after one has accepted",
        "if (wasAccepted(tried.task)) return yield* writes.retry(job, tried.retryAfterMillis)",
        "",
      ],
      [
        "a channel that cannot repeat is asked again after a crash",
        "if (!mayRepeat(channel, task)) return yield* writes.markUnknown(job, task)",
        "",
      ],
      [
        "a further channel is asked before it is written",
        "writes.amend(job, task, { upstream })",
        "Effect.succeed(task)",
      ],
      [
        "a task that has just started counts as one whose process died",
        "if (task.upstream === null || entry.isUnsent) return begin(job, task, entry)",
        "if (task.upstream === null) return begin(job, task, entry)",
      ],
      [
        "a task is sent to a channel that is paused",
        "filter(({ id }) => !paused.has(id))",
        "filter(({ id }) => !paused.has(`${id}?`))",
      ],
      [
        "an ambiguous answer is always repeated",
        "yield* mayRepeat(channel, task) ? writes.retry(job) : writes.markUnknown(job, task)",
        "yield* writes.retry(job)",
      ],
      [
        "the upstream's id is not kept",
        "note({ upstream: { channel: channel.id, upstreamId } })",
        "note({ upstream: { channel: channel.id, upstreamId: null } })",
      ],
      [
        "a pinned channel is ignored",
        "task.pinnedChannel === null ? undefined : models.channel(task.pinnedChannel)",
        "task.pinnedChannel === null ? undefined : undefined",
      ],
    ],
  ),
  ...faultsOf(
    "packages/core/src/workers/RunJob.ts",
    [services],
    [
      [
        "a task whose process keeps dying runs forever",
        "const wasLost = ({ lost }: Job) => lost >= limits.job_losses_max",
        "const wasLost = ({ lost }: Job) => lost > limits.job_losses_max * 1000",
      ],
      ["archiving is given up with its processes", "if (wasLost(job) && !archiving)", "if (wasLost(job))"],
      [
        "a process that was frozen runs a job that another one has",
        "- at >= limits.job_lease_ms)",
        "- at >= 1000 * limits.job_lease_ms)",
      ],
      ["a task starts after its deadline", "!wasLost(job) && !isOverdue(task, at)", "!wasLost(job)"],
      [
        "a task that is given back keeps its channel",
        "Effect.andThen(release, transitions.amend(task, { upstream: null }))",
        "release",
      ],
      [
        "a task that was sent to none is given back only where storage answers at once",
        'while: ({ _tag }) => _tag === "StorageError"',
        "while: () => false",
      ],
      ["a job that was frozen past its lease is not given back", "return yield* giveBack(job, it)", "return"],
    ],
  ),
  ...faultsOf(
    "packages/core/src/workers/RunTool.ts",
    [services, "test/document-tools/task", "test/document-tools/limits"],
    [
      [
        "a result's size is not bounded",
        "yield* requireResultSizes(output, limits.tool_result_bytes_max)",
        "",
      ],
      [
        "a document may run past its deadline",
        "Duration.millis(Math.max(0, task.deadlineAt - now))",
        "Duration.hours(24)",
      ],
    ],
  ),
  ...faultsOf(
    "packages/core/src/workers/Archive.ts",
    [services],
    [
      ["fewer images than asked are charged in full", "charged: feeFor(task, assets.length),", ""],
      [
        "a generation without an image succeeds",
        "images.length === 0 && text === null && seed === null",
        "false",
      ],
      ["an upstream's link of an archived model is handed on", 'task.delivery === "archive"', "false"],
      [
        "a link that may not be followed is asked again for a day",
        "error.refused === true ? refused",
        "false ? refused",
      ],
      [
        "a generation without one image that may be fetched is charged",
        "assets.length === 0 && sources.length > 0",
        "false",
      ],
      ["a link that is handed on looks permanent", "assets.some(({ blob }) => blob === null)", "false"],
    ],
  ),
  ...faultsOf(
    "packages/core/src/workers/Deadlines.ts",
    [services],
    [
      [
        "images that exist are not charged when their copying is given up",
        "{ charged: feeFor(task, imagesIn(task.archive)) }",
        "{ charged: 0 }",
      ],
      [
        "links that may not be followed are charged when copying is given up",
        "feeFor(task, imagesIn(task.archive))",
        "feeFor(task, task.archive.sources.length)",
      ],
    ],
  ),
  ...faultsOf(
    "packages/core/src/workers/FileCleanup.ts",
    [unit, services, "test/document-tools/files"],
    [
      [
        "a file that a task needs is removed",
        "if (yield* tasks.hasUnfinishedForFile(file.id)) return false",
        "",
      ],
      [
        "the bytes of a broken upload stay",
        "yield* blobs.remove(file.blob)\n      yield* transaction.run(store.discard(file.id))",
        "yield* transaction.run(store.discard(file.id))",
      ],
    ],
  ),
  ...faultsOf(
    "packages/core/src/workers/RunCallback.ts",
    [services],
    [
      ["a redirect or refusal counts as delivered", "status >= 200 && status < 300", "status >= 200"],
      ["callbacks are tried forever", 'nextAt(delivery, attempt) < end ? "pending" : "failed"', '"pending"'],
      ["a callback's row grows with every attempt", ".slice(-limits.callback_attempts_kept_max)", ""],
      [
        "an attempt that ended after a redelivery request is not counted",
        "transaction.run(record(job.taskId, attempt, ({ state }) => state))",
        "Effect.void",
      ],
      ["the signature leaves out the timestamp", "`${id}.${timestamp}.${body}`", "`${id}.${body}`"],
    ],
  ),
  ...faultsOf(
    "packages/core/src/domain/Ledger.ts",
    [services, unit],
    [
      [
        "settlement and release are swapped",
        'effect === "settle" ? settlementOf(task, charged, at)',
        'effect === "release" ? settlementOf(task, charged, at)',
      ],
    ],
  ),
  ...faultsOf(
    "packages/core/src/services/Transitions.ts",
    [services, unit],
    [
      [
        "a step is written without compare-and-set",
        "if (!(yield* tasks.update(next, seen))) {",
        "yield* tasks.update(next, seen)\n        if (false as boolean) {",
      ],
      [
        "more than the hold is charged",
        "Math.min(patch?.charged ?? task.held, task.held)",
        "(patch?.charged ?? task.held)",
      ],
      ["the money of a step is not moved", "yield* wallet.close(transfers)\n", ""],
      ["a final task keeps its job", "yield* queue.remove(task.id)\n        if (task.kind", "if (task.kind"],
      ["a task is accepted without a hold", "yield* wallet.hold(hold)\n", ""],
      ["readers are told before the commit", "yield* transaction.afterCommit(signals.publish(next.id))", ""],
    ],
  ),
  ...faultsOf(
    "packages/core/src/domain/Ledger.ts",
    [unit, services],
    [
      [
        "the remainder of a hold is not given back",
        "return rest === 0 ? [settled] : [settled,",
        "return rest >= 0 ? [settled] : [settled,",
      ],
      [
        "a hold goes to what was spent",
        'credit: kind === "hold" ? "held"',
        'credit: kind === "hold" ? "spent"',
      ],
    ],
  ),
  ...faultsOf(
    "packages/core/src/domain/TaskState.ts",
    [unit, services],
    [
      [
        "a running task that fails is charged",
        '{ from: "in_progress", event: "fail", to: "failed", money: "release"',
        '{ from: "in_progress", event: "fail", to: "failed", money: "settle"',
      ],
      [
        "a document that expires is charged",
        '{ from: "running", event: "expire", to: "failed", money: "release"',
        '{ from: "running", event: "expire", to: "failed", money: "settle"',
      ],
    ],
  ),
  ...faultsOf(
    "packages/core/src/domain/Money.ts",
    [unit],
    [["a charge is rounded down", "BigDecimal.ceil(", "BigDecimal.floor("]],
  ),
  ...faultsOf(
    "packages/core/src/domain/Fingerprint.ts",
    [unit],
    [["the order of keys makes another request", "    .sort()\n", ""]],
  ),
  ...faultsOf(
    "packages/core/src/domain/ToolFile.ts",
    [unit],
    [
      [
        "a file's name keeps its folders",
        'name.normalize("NFC").split(/[/\\\\]/).at(-1)',
        '[name.normalize("NFC")].at(-1)',
      ],
    ],
  ),
  ...faultsOf(
    "packages/core/src/domain/TokenBuckets.ts",
    [unit, "packages/http/test/guard"],
    [
      [
        "one request more than the burst is allowed",
        "const allowed = before >= 1",
        "const allowed = before >= 0",
      ],
      [
        "a refused request costs one too",
        "const tokens = allowed ? before - 1 : before",
        "const tokens = before - 1",
      ],
      ["a client may retry at once", "Math.max(1, Math.ceil((1 - tokens) / perSecond))", "0"],
    ],
  ),
  ...faultsOf(
    "packages/core/src/services/Access.ts",
    [unit, "test/document-tools/access", "packages/http/test"],
    [
      [
        "a disabled key goes on",
        'if (key.disabled) return Effect.fail(refuse("api_key_disabled", "This API key is disabled."))',
        "",
      ],
      [
        "a key works in the moment of its expiry",
        "key.expiresAt !== null && key.expiresAt <= now",
        "key.expiresAt !== null && key.expiresAt < now",
      ],
      [
        "a disabled account goes on",
        'return user.disabled ? Effect.fail(refuse("account_disabled", "This account is disabled.")) : Effect.void',
        "return Effect.void",
      ],
      [
        "an address list is not looked at",
        "if (!ipAllowed(found.value.key.ipAllowlist, ip)) {",
        "if (false as boolean) {",
      ],

      [
        "a key for one model may use all",
        "principal.key.models.length === 0 || principal.key.models.some((pattern) => globMatches(pattern, model))",
        "true || globMatches(model, model)",
      ],
      [
        "a key for one tool may use all",
        "principal.key.tools.length === 0 || principal.key.tools.includes(tool)",
        "true || principal.key.tools.includes(tool)",
      ],
    ],
  ),
  ...faultsOf(
    "packages/core/src/services/Tasks.ts",
    [services, "packages/http/test"],
    [
      [
        "another key's task is shown",
        "if (Option.isNone(task) || task.value.keyId !== principal.key.id) {",
        "if (Option.isNone(task)) {",
      ],
      [
        "a running task is canceled as one that waits",
        'if (task.state !== "queued") return yield* started',
        "",
      ],
      [
        "a tool that was taken from a key shows its tasks",
        'if (task.value.kind === "tool") yield* access.requireTool(principal, task.value.toolId)',
        "",
        ["packages/http/test", "test/document-tools/access"],
      ],
      [
        "another key's task pages the list",
        "if (Option.isNone(last) || last.value.keyId !== principal.key.id) {",
        "if (Option.isNone(last)) {",
        ["packages/http/test", "test/image-tasks/listing"],
      ],
    ],
  ),
  ...faultsOf(
    "packages/core/src/services/Callbacks.ts",
    [services],
    [
      [
        "a callback is redelivered without end",
        "if (longest === undefined) return",
        "if (longest !== null) return",
      ],
    ],
  ),
  ...faultsOf(
    "packages/core/src/services/Idempotency.ts",
    [services, "test/document-tools/idempotency"],
    [
      [
        "a key may stand for another request",
        "record.fingerprint !== operation.fingerprint || record.operation !== operation.operation",
        "record.operation !== operation.operation",
      ],
      [
        "a key may stand for another endpoint",
        "record.fingerprint !== operation.fingerprint || record.operation !== operation.operation",
        "record.fingerprint !== operation.fingerprint",
      ],
      [
        "two racing requests both go through",
        "if (!(yield* store.put(record, now))) return Option.none<A>()",
        "yield* store.put(record, now)",
      ],
      [
        "a refused request keeps its key reserved",
        'exit._tag === "Success"\n            ? Effect.void',
        "true as boolean\n            ? Effect.void",
      ],
      [
        "refusals are recorded where they must not be",
        "if (operation.recordRefusals && error.retryAfterSeconds === undefined) {",
        "if (true as boolean) {",
      ],
    ],
  ),
  ...faultsOf(
    "packages/core/src/services/ToolFiles.ts",
    ["test/document-tools/limits", "test/document-tools/files", services],
    [
      ["a file's size is not bounded by its tool", "yield* requireSize(tool, upload.bytes)", ""],
      [
        "one file more than allowed is kept",
        "if (pending >= limits.tool_files_per_user_max) {",
        "if (pending > limits.tool_files_per_user_max) {",
      ],
      [
        "files are not counted in the transaction that keeps them",
        "Effect.andThen(requireRoom(principal), store.insert(uploading))",
        "store.insert(uploading)",
      ],
      [
        "another key's file is shown",
        "if (found.value.keyId !== principal.key.id) return yield* missing",
        "",
      ],
      [
        "a file is deleted under a task",
        "if (yield* tasks.hasUnfinishedForFile(file.id)) {",
        "if (false as boolean) {",
      ],
    ],
  ),
  ...faultsOf(
    "packages/core/src/services/ToolTasks.ts",
    [
      "test/document-tools/invoke",
      "test/document-tools/limits",
      "test/document-tools/result",
      "test/document-tools/access",
      "test/document-tools/files",
    ],
    [
      ["another key's file is parsed", "if (file.keyId !== principal.key.id) return yield* missing", ""],
      ["another tool's file is parsed", "if (file.toolId !== toolId) {", "if (false as boolean) {"],
      [
        "a file is parsed after its time",
        'if (file.status !== "ready" || file.expiresAt <= now) {',
        'if (file.status !== "ready") {',
      ],
      [
        "one task more than allowed is accepted",
        "if (unfinished > limits.tool_tasks_per_user_max) {",
        "if (unfinished > limits.tool_tasks_per_user_max + 1) {",
      ],
      [
        "a result is read after its time",
        "task.expiresAt <= now || task.purged || found === undefined",
        "task.purged || found === undefined",
      ],
      ["the order of formats makes another request", "].sort(),", "],", ["test/document-tools/idempotency"]],
    ],
  ),
  ...faultsOf(
    "packages/core/src/services/ImageTasks.ts",
    [services, "test/image-tasks/submission"],
    [
      [
        "a fee above the caller's limit is accepted",
        "BigDecimal.isLessThanOrEqualTo(cost, limit.value)",
        "true || BigDecimal.isLessThanOrEqualTo(cost, limit.value)",
      ],
      [
        "reference images are not checked",
        "request.images.length === 0 ? Effect.void : references.check(request.images)",
        "Effect.void",
      ],
      [
        "a step of another key's task is made",
        "if (Option.isSome(parent)) return parent.value.upstream?.channel ?? null",
        "return Option.getOrUndefined(parent)?.upstream?.channel ?? null",
      ],
    ],
  ),
]
