// Generated from the OpenAPI document by `npm run generate`.
export interface components {
    schemas: {
        readonly ImageRequest: {
            /** @description Identifier of a live model. */
            readonly model: string;
            /** @description What to make, or how to edit. */
            readonly prompt?: string;
            /** @description A ratio (`16:9`), `auto`, or WIDTHxHEIGHT where the model allows. */
            readonly size?: string;
            readonly quality?: string;
            /** @description Tier: `1K`, `2K`, `4K`. */
            readonly resolution?: string;
            /** @description Reference images, each publicly downloadable. */
            readonly images?: readonly string[];
            /** @description The same as `images`. */
            readonly image_urls?: readonly string[];
            /** @description Number of images. */
            readonly n?: number;
            readonly seed?: number;
            /** @description Public HTTPS address that is notified of the final state. */
            readonly callback_url?: string;
            /** @description Refuse the request if its fee is higher. */
            readonly max_cost_usd?: number;
            /** @description `artgen` only: `fast` or `turbo`. */
            readonly mode?: string;
            /** @description `artgen` only: the operation. */
            readonly generation_type?: string;
            /** @description `artgen` only. */
            readonly metadata?: {
                readonly job_id?: string;
                readonly mask?: string;
            };
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @example {
         *       "task_id": "imgtask_01k8a3v5w2x9y7z4q6r8s1t3v5",
         *       "id": "imgtask_01k8a3v5w2x9y7z4q6r8s1t3v5",
         *       "object": "image.task",
         *       "state": "queued",
         *       "status": "SUBMITTED",
         *       "model": "gen-image-2",
         *       "created_at": 1767225600
         *     }
         */
        readonly ImageSubmission: {
            readonly task_id: string;
            readonly id: string;
            /** @enum {string} */
            readonly object: "image.task";
            /** @enum {string} */
            readonly state: "queued" | "in_progress" | "completed" | "failed" | "unknown";
            /** @enum {string} */
            readonly status: "SUBMITTED" | "QUEUED" | "IN_PROGRESS" | "SUCCESS" | "FAILURE" | "UNKNOWN";
            readonly model: string;
            readonly created_at: number;
        };
        /**
         * @description An image task. `expires_at` 0: this service removes no result. With the warning `result_not_archived` the images stay on the upstream's server, whose links may expire: download them soon.
         * @example {
         *       "id": "imgtask_01k8a3v5w2x9y7z4q6r8s1t3v5",
         *       "task_id": "imgtask_01k8a3v5w2x9y7z4q6r8s1t3v5",
         *       "object": "image.task",
         *       "model": "gen-image-2",
         *       "state": "completed",
         *       "status": "SUCCESS",
         *       "progress": 100,
         *       "result_url": "https://media.example.com/media/3f1c….png",
         *       "assets": [
         *         {
         *           "url": "https://media.example.com/media/3f1c….png",
         *           "content_type": "image/png",
         *           "width": 1024,
         *           "height": 1024,
         *           "bytes": 182044
         *         }
         *       ],
         *       "data": {
         *         "results": [
         *           {
         *             "url": "https://media.example.com/media/3f1c….png",
         *             "content_type": "image/png",
         *             "width": 1024,
         *             "height": 1024,
         *             "bytes": 182044
         *           }
         *         ]
         *       },
         *       "error": null,
         *       "usage": {
         *         "images": 1,
         *         "input_images": 0
         *       },
         *       "billing": {
         *         "held": 16500,
         *         "charged": 16500,
         *         "released": 0
         *       },
         *       "warnings": [],
         *       "created_at": 1767225600,
         *       "started_at": 1767225601,
         *       "finished_at": 1767225609,
         *       "expires_at": 0
         *     }
         */
        readonly ImageTask: {
            readonly id: string;
            readonly task_id: string;
            /** @enum {string} */
            readonly object: "image.task";
            readonly model: string;
            /** @enum {string} */
            readonly state: "queued" | "in_progress" | "completed" | "failed" | "unknown";
            /** @enum {string} */
            readonly status: "SUBMITTED" | "QUEUED" | "IN_PROGRESS" | "SUCCESS" | "FAILURE" | "UNKNOWN";
            readonly progress: number;
            readonly result_url?: string;
            readonly assets?: readonly components["schemas"]["ImageAsset"][];
            readonly data?: {
                readonly results: readonly components["schemas"]["ImageAsset"][];
                readonly job_id?: string;
                readonly text?: string;
                readonly seed?: number;
            };
            readonly error: components["schemas"]["TaskError"] | null;
            readonly usage: {
                readonly images: number;
                readonly input_images: number;
            };
            readonly billing: {
                readonly held: number;
                readonly charged: number;
                readonly released: number;
            };
            readonly warnings: readonly components["schemas"]["Warning"][];
            readonly created_at: number;
            readonly started_at: number | null;
            readonly finished_at: number | null;
            readonly expires_at: number;
        };
        /** @description One delivered image. */
        readonly ImageAsset: {
            readonly url: string;
            readonly content_type: string | null;
            readonly width: number | null;
            readonly height: number | null;
            readonly bytes: number | null;
        };
        /** @description Why a task failed. */
        readonly TaskError: {
            readonly code: string;
            readonly message: string;
        };
        /** @description Something that the caller should know, but that did not stop the task. */
        readonly Warning: {
            readonly code: string;
            readonly message: string;
        };
        /**
         * @description A parse task. `expires_at`: when its result stops being readable.
         * @example {
         *       "id": "tooltask_01k8a3v5w2x9y7z4q6r8s1t3v5",
         *       "task_id": "tooltask_01k8a3v5w2x9y7z4q6r8s1t3v5",
         *       "object": "tool.task",
         *       "tool_id": "text-md-json",
         *       "file_id": "toolfile_01k8a3t0c4d5e6f7g8h9j0k1m2",
         *       "output_formats": [
         *         "markdown",
         *         "json"
         *       ],
         *       "status": "succeeded",
         *       "error": null,
         *       "warnings": [],
         *       "billing": {
         *         "pre_deducted": 50,
         *         "charged": 50,
         *         "refunded": 0
         *       },
         *       "created_at": 1767225600,
         *       "started_at": 1767225600,
         *       "finished_at": 1767225601,
         *       "expires_at": 1767232800
         *     }
         */
        readonly ToolTask: {
            readonly id: string;
            readonly task_id: string;
            /** @enum {string} */
            readonly object: "tool.task";
            readonly tool_id: string;
            readonly file_id: string;
            readonly output_formats: readonly ("markdown" | "json")[];
            /** @enum {string} */
            readonly status: "queued" | "running" | "succeeded" | "failed";
            readonly error: components["schemas"]["TaskError"] | null;
            readonly warnings: readonly components["schemas"]["Warning"][];
            readonly billing: {
                readonly pre_deducted: number;
                readonly charged: number;
                readonly refunded: number;
            };
            readonly created_at: number;
            readonly started_at: number | null;
            readonly finished_at: number | null;
            readonly expires_at: number;
        };
        /**
         * @example {
         *       "id": "toolfile_01k8a3t0c4d5e6f7g8h9j0k1m2",
         *       "object": "tool.file",
         *       "tool_id": "text-md-json",
         *       "filename": "notes.md",
         *       "content_type": "text/markdown",
         *       "bytes": 5120,
         *       "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
         *       "status": "ready",
         *       "created_at": 1767225600,
         *       "expires_at": 1767232800
         *     }
         */
        readonly ToolFile: {
            readonly id: string;
            /** @enum {string} */
            readonly object: "tool.file";
            readonly tool_id: string;
            readonly filename: string;
            readonly content_type: string;
            readonly bytes: number;
            readonly sha256: string;
            /** @enum {string} */
            readonly status: "ready" | "deleting" | "deleted";
            readonly created_at: number;
            readonly expires_at: number;
        };
        readonly ToolResult: {
            readonly schema_version: string;
            readonly markdown: string;
            readonly structure_source: string;
            readonly capabilities: {
                readonly [key: string]: boolean;
            };
            readonly warnings: readonly components["schemas"]["Warning"][];
            readonly input_bytes: number;
        };
        readonly ToolList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Tool"][];
        };
        /**
         * @example {
         *       "id": "text-md-json",
         *       "object": "tool",
         *       "name": "Text to Markdown and JSON",
         *       "description": "Local parsing of UTF-8 text and code",
         *       "extensions": [
         *         ".txt",
         *         ".md",
         *         ".csv",
         *         ".json"
         *       ],
         *       "max_file_bytes": 10485760,
         *       "timeout_seconds": 30,
         *       "output_formats": [
         *         "markdown",
         *         "json"
         *       ],
         *       "pricing_display": {
         *         "unit_price": 0.0001,
         *         "currency": "USD",
         *         "unit": "document",
         *         "text": "$0.0001 per document"
         *       }
         *     }
         */
        readonly Tool: {
            readonly id: string;
            /** @enum {string} */
            readonly object: "tool";
            readonly name: string;
            readonly description: string;
            readonly extensions: readonly string[];
            readonly max_file_bytes: number;
            readonly timeout_seconds: number;
            readonly output_formats: readonly ("markdown" | "json")[];
            readonly pricing_display: {
                readonly unit_price: number;
                /** @enum {string} */
                readonly currency: "USD";
                /** @enum {string} */
                readonly unit: "document";
                readonly text: string;
            };
        };
        readonly ModelList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Model"][];
        };
        readonly Model: {
            readonly id: string;
            /** @enum {string} */
            readonly object: "model";
            readonly created: number;
            readonly owned_by: string;
            /** @enum {string} */
            readonly type: "image";
            readonly endpoints: readonly string[];
            readonly parameters: {
                readonly [key: string]: components["schemas"]["ModelParameter"];
            };
            readonly limits: {
                readonly n: number;
                readonly reference_images: number;
                readonly prompt_chars: number;
            };
            readonly pricing_display: {
                readonly unit: string;
                readonly currency: string;
                readonly table: readonly {
                    readonly [key: string]: string | number;
                }[];
            };
            /**
             * @description `archive`: images are copied to permanent storage. `passthrough`: the upstream's links are returned, which may expire; such a task has the warning `result_not_archived`.
             * @enum {string}
             */
            readonly delivery: "archive" | "passthrough";
        };
        readonly ModelParameter: {
            /** @enum {string} */
            readonly type: "string" | "integer" | "number" | "boolean" | "array" | "object";
            readonly enum?: readonly string[];
            readonly default?: string | number | boolean;
            readonly minimum?: number;
            readonly maximum?: number;
            readonly description?: string;
        };
        /** @description A fee; amounts but `quota_units` are US dollars. */
        readonly Quote: {
            readonly quota_units: number;
            readonly usd: number;
            readonly breakdown: readonly {
                readonly description: string;
                readonly quantity: number;
                readonly unit_price: number;
                readonly amount: number;
            }[];
        };
        readonly History: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["HistoryEntry"][];
        };
        /** @description `hold` takes the fee from the wallet, `settle` charges it, `release` gives it back. `request_id`: the request that asked for the step, null if the service made it on its own. */
        readonly HistoryEntry: {
            readonly event: string;
            readonly from: ("queued" | "in_progress" | "completed" | "failed" | "unknown" | "running" | "succeeded") | null;
            /** @enum {string} */
            readonly to: "queued" | "in_progress" | "completed" | "failed" | "unknown" | "running" | "succeeded";
            readonly transfers: readonly {
                readonly id: string;
                /** @enum {string} */
                readonly kind: "hold" | "settle" | "release";
                readonly amount: number;
            }[];
            readonly request_id: string | null;
            readonly occurred_at: number;
        };
        /**
         * @description The account's money and the API key's quota, in account quota units.
         * @example {
         *       "object": "balance",
         *       "wallet": 4950000,
         *       "held": 16500,
         *       "spent": 33500,
         *       "granted": 5000000,
         *       "key_quota": null,
         *       "key_used": 50000,
         *       "units_per_usd": 500000
         *     }
         */
        readonly Balance: {
            /** @enum {string} */
            readonly object: "balance";
            /** @description What can be spent now. */
            readonly wallet: number;
            /** @description The fees of unfinished tasks. */
            readonly held: number;
            /** @description What finished tasks were charged. */
            readonly spent: number;
            /** @description All that the account was ever given. */
            readonly granted: number;
            /** @description The most that this API key may hold and spend; null without a quota. */
            readonly key_quota: number | null;
            /** @description What this API key has held and spent. */
            readonly key_used: number;
            /** @description Units that make one US dollar. */
            readonly units_per_usd: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
