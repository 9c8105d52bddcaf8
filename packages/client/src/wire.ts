// Generated from the OpenAPI document by `npm run generate`.
export interface components {
    schemas: {
        /**
         * @description What went wrong, for programs. Versions to come may add codes: treat one that you do not know by its HTTP status.
         * @enum {string}
         */
        readonly ErrorCode: "invalid_json" | "invalid_parameter" | "unknown_parameter" | "unsupported_parameter" | "max_cost_exceeded" | "model_not_found" | "model_not_supported_on_endpoint" | "reference_image_unavailable" | "invalid_idempotency_key" | "upstream_rejected" | "invalid_file" | "file_type_not_accepted" | "file_encrypted" | "file_macro" | "file_not_utf8" | "file_corrupt" | "archive_limit_exceeded" | "no_text_layer" | "invalid_api_key" | "api_key_disabled" | "api_key_expired" | "insufficient_balance" | "key_quota_exhausted" | "model_not_allowed" | "group_not_allowed" | "tool_not_allowed" | "ip_not_allowed" | "role_not_allowed" | "origin_not_allowed" | "account_disabled" | "not_found" | "task_not_found" | "file_not_found" | "tool_not_found" | "method_not_allowed" | "format_not_requested" | "request_timeout" | "idempotency_request_in_progress" | "idempotency_key_reused" | "result_not_ready" | "task_failed" | "task_not_cancelable" | "result_expired" | "file_expired" | "file_too_large" | "request_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "rate_limited" | "too_many_files" | "too_many_tasks" | "too_many_connections" | "file_in_use" | "internal_error" | "result_archive_failed" | "upstream_failed" | "overloaded" | "executor_unavailable" | "storage_unavailable" | "shutting_down" | "generation_timeout";
        /**
         * @description What to make. Which values a model takes stands in `GET /v1/models`.
         * @example {
         *       "model": "gen-image-2",
         *       "prompt": "a lighthouse at dusk",
         *       "size": "16:9"
         *     }
         */
        readonly ImageRequest: {
            /** @description Identifier of a live model. */
            readonly model: string;
            /** @description What to make, or how to edit. */
            readonly prompt?: string;
            /** @description A ratio (`16:9`), `auto`, or WIDTHxHEIGHT where the model allows. */
            readonly size?: string;
            /** @description Quality tier, where the model has them: `low`, `medium`, `high`. */
            readonly quality?: string;
            /** @description Tier: `1K`, `2K`, `4K`. */
            readonly resolution?: string;
            /** @description Reference images, each publicly downloadable. */
            readonly images?: readonly string[];
            /** @description The same as `images`. */
            readonly image_urls?: readonly string[];
            /** @description Number of images. */
            readonly n?: number;
            /** @description Seed of the randomness: the same seed and request make a similar image, where the model takes seeds. */
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
                /** @description `artgen`: the finished step, which the next step passes as `metadata.job_id`. */
                readonly job_id?: string;
                /** @description Address of the mask: its transparent part is what changes. */
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
            /** @description Identifier of the task, for `GET /v1/tasks/{task_id}`. */
            readonly task_id: string;
            /** @description Identifier; ids sort by the time at which they were made. */
            readonly id: string;
            /**
             * @description The kind of object.
             * @enum {string}
             */
            readonly object: "image.task";
            /**
             * @description Where the task is. `completed` and `failed` are final.
             * @enum {string}
             */
            readonly state: "queued" | "in_progress" | "completed" | "failed" | "unknown";
            /**
             * @description The state in the words of older clients.
             * @enum {string}
             */
            readonly status: "SUBMITTED" | "QUEUED" | "IN_PROGRESS" | "SUCCESS" | "FAILURE" | "UNKNOWN";
            /** @description The model that the task was submitted to. */
            readonly model: string;
            /** @description When it was made, in Unix seconds. */
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
         *           "width": 1360,
         *           "height": 768,
         *           "bytes": 182044
         *         }
         *       ],
         *       "data": {
         *         "results": [
         *           {
         *             "url": "https://media.example.com/media/3f1c….png",
         *             "content_type": "image/png",
         *             "width": 1360,
         *             "height": 768,
         *             "bytes": 182044
         *           }
         *         ],
         *         "seed": 1437387645
         *       },
         *       "error": null,
         *       "usage": {
         *         "images": 1,
         *         "input_images": 0
         *       },
         *       "billing": {
         *         "held": 20000,
         *         "charged": 20000,
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
            /** @description Identifier; ids sort by the time at which they were made. */
            readonly id: string;
            /** @description Identifier of the task, for `GET /v1/tasks/{task_id}`. */
            readonly task_id: string;
            /**
             * @description The kind of object.
             * @enum {string}
             */
            readonly object: "image.task";
            /** @description The model that the task was submitted to. */
            readonly model: string;
            /**
             * @description Where the task is. `completed` and `failed` are final.
             * @enum {string}
             */
            readonly state: "queued" | "in_progress" | "completed" | "failed" | "unknown";
            /**
             * @description The state in the words of older clients.
             * @enum {string}
             */
            readonly status: "SUBMITTED" | "QUEUED" | "IN_PROGRESS" | "SUCCESS" | "FAILURE" | "UNKNOWN";
            /** @description How far the work is, from 0 to 100. */
            readonly progress: number;
            /** @description Where the task stands; only while it is queued, and not in lists. */
            readonly queue?: components["schemas"]["QueuePlace"];
            /** @description Address of the first image. Absent until there is one. */
            readonly result_url?: string;
            /** @description Every delivered image. Absent until there is one. */
            readonly assets?: readonly components["schemas"]["ImageAsset"][];
            /** @description Results, with what the model said about them. Absent until there are some. */
            readonly data?: {
                /** @description The same images as `assets`. */
                readonly results: readonly components["schemas"]["ImageAsset"][];
                /** @description `artgen`: the finished step, which the next step passes as `metadata.job_id`. */
                readonly job_id?: string;
                /** @description `artgen` with `describe`: the description of the image. */
                readonly text?: string;
                /** @description Seed of the randomness: the same seed and request make a similar image, where the model takes seeds. */
                readonly seed?: number;
            };
            /** @description Why it failed; null if it did not. */
            readonly error: components["schemas"]["TaskError"] | null;
            /** @description What was used. */
            readonly usage: {
                /** @description Delivered images. */
                readonly images: number;
                /** @description Reference images that were sent to the model. */
                readonly input_images: number;
            };
            /** @description What the task cost, in account units (500,000 are 1 USD unless the operator says otherwise). */
            readonly billing: {
                /** @description Units that were held at submission. */
                readonly held: number;
                /** @description Units that were paid. */
                readonly charged: number;
                /** @description Units of the hold that were given back. */
                readonly released: number;
            };
            /** @description What the caller should know, but did not stop the task. */
            readonly warnings: readonly components["schemas"]["Warning"][];
            /** @description When it was made, in Unix seconds. */
            readonly created_at: number;
            /** @description When its work began, in Unix seconds; null before that. */
            readonly started_at: number | null;
            /** @description When it became final, in Unix seconds; null before that. */
            readonly finished_at: number | null;
            /** @description When the results are removed, in Unix seconds; 0: never. */
            readonly expires_at: number;
        };
        /** @description Where the task stands while users take turns, and when it will start, estimated from what ran lately. */
        readonly QueuePlace: {
            /** @description 1 starts next, 0 is starting. Null: beyond 100. */
            readonly position: number | null;
            /** @description Until the task starts, if tasks end as fast as the last ones did. Null: nothing is known. */
            readonly estimated_seconds: number | null;
        };
        /** @description One delivered image. */
        readonly ImageAsset: {
            /** @description Address of the image. */
            readonly url: string;
            /** @description Media type; null if it is not known. */
            readonly content_type: string | null;
            /** @description Pixels; null if it is not known. */
            readonly width: number | null;
            /** @description Pixels; null if it is not known. */
            readonly height: number | null;
            /** @description Size in bytes; null if it is not known. */
            readonly bytes: number | null;
        };
        /** @description Why a task failed. */
        readonly TaskError: {
            /** @description What happened, for programs. */
            readonly code: string;
            /** @description What happened, for people. Programs decide by the code. */
            readonly message: string;
        };
        /** @description Something that the caller should know, but that did not stop the task. */
        readonly Warning: {
            /** @description What happened, for programs. */
            readonly code: string;
            /** @description What happened, for people. Programs decide by the code. */
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
            /** @description Identifier; ids sort by the time at which they were made. */
            readonly id: string;
            /** @description Identifier of the task, for `GET /v1/tasks/{task_id}`. */
            readonly task_id: string;
            /**
             * @description The kind of object.
             * @enum {string}
             */
            readonly object: "tool.task";
            /** @description The tool. */
            readonly tool_id: string;
            /** @description The uploaded file. */
            readonly file_id: string;
            /** @description Formats of the result. */
            readonly output_formats: readonly ("markdown" | "json")[];
            /**
             * @description Where the task is. `succeeded` and `failed` are final.
             * @enum {string}
             */
            readonly status: "queued" | "running" | "succeeded" | "failed";
            /** @description Where the task stands; only while it is queued, and not in lists. */
            readonly queue?: components["schemas"]["QueuePlace"];
            /** @description Why it failed; null if it did not. */
            readonly error: components["schemas"]["TaskError"] | null;
            /** @description What the caller should know, but did not stop the task. */
            readonly warnings: readonly components["schemas"]["Warning"][];
            /** @description What the task cost, in account units (500,000 are 1 USD unless the operator says otherwise). */
            readonly billing: {
                /** @description Units that were held at submission. */
                readonly pre_deducted: number;
                /** @description Units that were paid. */
                readonly charged: number;
                /** @description Units that were given back. */
                readonly refunded: number;
            };
            /** @description When it was made, in Unix seconds. */
            readonly created_at: number;
            /** @description When its work began, in Unix seconds; null before that. */
            readonly started_at: number | null;
            /** @description When it became final, in Unix seconds; null before that. */
            readonly finished_at: number | null;
            /** @description When the result stops being readable, in Unix seconds. */
            readonly expires_at: number;
        };
        /**
         * @example {
         *       "id": "toolfile_01k8a3t0c4d5e6f7g8h9j0k1m2",
         *       "object": "tool.file",
         *       "tool_id": "text-md-json",
         *       "filename": "minutes.md",
         *       "content_type": "text/markdown",
         *       "bytes": 19,
         *       "sha256": "09aaf7649b3645301ca2cd6903aa352d9ec03512c446812db61bcf5ad0401c70",
         *       "status": "ready",
         *       "created_at": 1767225600,
         *       "expires_at": 1767232800
         *     }
         */
        readonly ToolFile: {
            /** @description Identifier; ids sort by the time at which they were made. */
            readonly id: string;
            /**
             * @description The kind of object.
             * @enum {string}
             */
            readonly object: "tool.file";
            /** @description The tool. */
            readonly tool_id: string;
            /** @description Name of the file, as it was uploaded. */
            readonly filename: string;
            /** @description Media type of the file. */
            readonly content_type: string;
            /** @description Size of the file, in bytes. */
            readonly bytes: number;
            /** @description SHA-256 of the file, in hexadecimal. */
            readonly sha256: string;
            /**
             * @description `ready`: usable. `deleting`, `deleted`: on its way out, and gone.
             * @enum {string}
             */
            readonly status: "ready" | "deleting" | "deleted";
            /** @description When it was made, in Unix seconds. */
            readonly created_at: number;
            /** @description When the file is removed, in Unix seconds. */
            readonly expires_at: number;
        };
        /**
         * @description A parsed document.
         * @example {
         *       "schema_version": "1.0",
         *       "markdown": "# Minutes\n\nWe met.\n",
         *       "structure_source": "text",
         *       "capabilities": {
         *         "ocr": false,
         *         "page_coordinates": false,
         *         "bounding_boxes": false,
         *         "structured_tables": false
         *       },
         *       "warnings": [],
         *       "input_bytes": 19
         *     }
         */
        readonly ToolResult: {
            /** @description Version of the result's format. */
            readonly schema_version: string;
            /** @description The document as Markdown. */
            readonly markdown: string;
            /** @description What the structure was read from: `text`, `pptx-xml`, `converter:<name>`. */
            readonly structure_source: string;
            /** @description What this result can contain; what is false was not looked for. */
            readonly capabilities: {
                readonly [key: string]: boolean;
            };
            /** @description What the caller should know, but did not stop the task. */
            readonly warnings: readonly components["schemas"]["Warning"][];
            /** @description Size of the parsed file, in bytes. */
            readonly input_bytes: number;
            /** @description Of a PDF or a scan, where the operator has `page_offsets`: all pages in their order, which do not overlap. */
            readonly pages?: readonly components["schemas"]["DocumentPart"][];
            /** @description Of a presentation, where the operator has `page_offsets`: all slides in their order. */
            readonly slides?: readonly components["schemas"]["DocumentPart"][];
            /** @description Of a spreadsheet, where the operator has `page_offsets`: all sheets in their order. */
            readonly sheets?: readonly components["schemas"]["DocumentPart"][];
        };
        /**
         * @description Where the text of a page, slide or sheet stands in the Markdown.
         * @example {
         *       "number": 1,
         *       "start": 0,
         *       "end": 18
         *     }
         */
        readonly DocumentPart: {
            /** @description From 1, in the order of the document. */
            readonly number: number;
            /** @description Of a sheet. */
            readonly name?: string;
            /** @description Where its text begins in the Markdown, in UTF-16 units (as JavaScript counts). */
            readonly start: number;
            /** @description Where its text ends, likewise; the same as `start` where it has none. */
            readonly end: number;
        };
        readonly ToolList: {
            /**
             * @description The kind of object.
             * @enum {string}
             */
            readonly object: "list";
            /** @description The entries, newest first where they have a time. */
            readonly data: readonly components["schemas"]["Tool"][];
        };
        /**
         * @example {
         *       "id": "text-md-json",
         *       "object": "tool",
         *       "name": "Text to Markdown and JSON",
         *       "description": "Local parsing of UTF-8 text and code. Markdown and plain text are kept as they are; CSV, JSON, YAML, XML, HTML and code are placed in Markdown code blocks.",
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
            /** @description Identifier, for the path of uploads and invocations. */
            readonly id: string;
            /**
             * @description The kind of object.
             * @enum {string}
             */
            readonly object: "tool";
            /** @description A name for people. */
            readonly name: string;
            /** @description What it is, for people. */
            readonly description: string;
            /** @description Endings of the file names that are taken. */
            readonly extensions: readonly string[];
            /** @description Largest file, in bytes. */
            readonly max_file_bytes: number;
            /** @description How long parsing may take, in seconds. */
            readonly timeout_seconds: number;
            /** @description Formats of the result. */
            readonly output_formats: readonly ("markdown" | "json")[];
            /** @description Prices, for people; `POST /v1/images/quote` computes what a request costs. */
            readonly pricing_display: {
                /** @description US dollars for each. */
                readonly unit_price: number;
                /**
                 * @description Currency of the prices.
                 * @enum {string}
                 */
                readonly currency: "USD";
                /**
                 * @description What the price is for.
                 * @enum {string}
                 */
                readonly unit: "document";
                /** @description The price in words. */
                readonly text: string;
            };
        };
        readonly ModelList: {
            /**
             * @description The kind of object.
             * @enum {string}
             */
            readonly object: "list";
            /** @description The entries, newest first where they have a time. */
            readonly data: readonly components["schemas"]["Model"][];
        };
        /**
         * @example {
         *       "id": "gen-image-2",
         *       "object": "model",
         *       "created": 1767225600,
         *       "owned_by": "atelier",
         *       "type": "image",
         *       "endpoints": [
         *         "/v1/images/tasks",
         *         "/v1/images/generations",
         *         "/v1/images/edits"
         *       ],
         *       "parameters": {
         *         "prompt": {
         *           "type": "string"
         *         },
         *         "n": {
         *           "type": "integer",
         *           "default": 1,
         *           "minimum": 1,
         *           "maximum": 10
         *         }
         *       },
         *       "limits": {
         *         "n": 10,
         *         "reference_images": 16,
         *         "prompt_chars": 32000
         *       },
         *       "pricing_display": {
         *         "unit": "image",
         *         "currency": "USD",
         *         "table": [
         *           {
         *             "resolution": "1K",
         *             "quality": "low",
         *             "usd": "0.01"
         *           },
         *           {
         *             "resolution": "1K",
         *             "quality": "medium",
         *             "usd": "0.04"
         *           },
         *           {
         *             "resolution": "1K",
         *             "quality": "high",
         *             "usd": "0.16"
         *           },
         *           {
         *             "resolution": "2K",
         *             "quality": "low",
         *             "usd": "0.02"
         *           },
         *           {
         *             "resolution": "2K",
         *             "quality": "medium",
         *             "usd": "0.07"
         *           },
         *           {
         *             "resolution": "2K",
         *             "quality": "high",
         *             "usd": "0.24"
         *           },
         *           {
         *             "resolution": "4K",
         *             "quality": "low",
         *             "usd": "0.03"
         *           },
         *           {
         *             "resolution": "4K",
         *             "quality": "medium",
         *             "usd": "0.11"
         *           },
         *           {
         *             "resolution": "4K",
         *             "quality": "high",
         *             "usd": "0.36"
         *           },
         *           {
         *             "input_image": 1,
         *             "usd": "0.005"
         *           }
         *         ]
         *       },
         *       "delivery": "archive"
         *     }
         */
        readonly Model: {
            /** @description Identifier, for `model` in a submission. */
            readonly id: string;
            /**
             * @description The kind of object.
             * @enum {string}
             */
            readonly object: "model";
            /** @description When it was made, in Unix seconds. */
            readonly created: number;
            /** @description Who offers the model. */
            readonly owned_by: string;
            /**
             * @description What the model makes.
             * @enum {string}
             */
            readonly type: "image";
            /** @description Paths that take the model. */
            readonly endpoints: readonly string[];
            /** @description Fields of a submission that the model knows. */
            readonly parameters: {
                readonly [key: string]: components["schemas"]["ModelParameter"];
            };
            /** @description How much one request may ask for. */
            readonly limits: {
                /** @description Images of one request. */
                readonly n: number;
                /** @description Reference images of one request. */
                readonly reference_images: number;
                /** @description Characters of a prompt. */
                readonly prompt_chars: number;
            };
            /** @description Prices, for people; `POST /v1/images/quote` computes what a request costs. */
            readonly pricing_display: {
                /** @description What the price is for. */
                readonly unit: string;
                /** @description Currency of the prices. */
                readonly currency: string;
                /** @description One row for each price. */
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
            /**
             * @description Type of the field's value.
             * @enum {string}
             */
            readonly type: "string" | "integer" | "number" | "boolean" | "array" | "object";
            /** @description The values that are taken. */
            readonly enum?: readonly string[];
            /** @description The value of an absent field. */
            readonly default?: string | number | boolean;
            /** @description The smallest value that is taken. */
            readonly minimum?: number;
            /** @description The largest value that is taken. */
            readonly maximum?: number;
            /** @description What the field does. */
            readonly description?: string;
        };
        /**
         * @description A fee; amounts but `quota_units` are US dollars.
         * @example {
         *       "quota_units": 20000,
         *       "usd": 0.04,
         *       "breakdown": [
         *         {
         *           "description": "image, 1K, medium",
         *           "quantity": 1,
         *           "unit_price": 0.04,
         *           "amount": 0.04
         *         }
         *       ]
         *     }
         */
        readonly Quote: {
            /** @description The fee in account units; of a key, what it may spend, null: no limit. */
            readonly quota_units: number;
            /** @description The amount in US dollars. */
            readonly usd: number;
            /** @description What the fee consists of. */
            readonly breakdown: readonly {
                /** @description What it is, for people. */
                readonly description: string;
                /** @description How many. */
                readonly quantity: number;
                /** @description US dollars for each. */
                readonly unit_price: number;
                /** @description How much: US dollars in a quote, account units in the ledger. */
                readonly amount: number;
            }[];
        };
        readonly History: {
            /**
             * @description The kind of object.
             * @enum {string}
             */
            readonly object: "list";
            /** @description The entries, newest first where they have a time. */
            readonly data: readonly components["schemas"]["HistoryEntry"][];
        };
        /**
         * @description `hold` takes the fee from the wallet, `settle` charges it, `release` gives it back. `request_id`: the request that asked for the step, null if the service made it on its own.
         * @example {
         *       "event": "submit",
         *       "from": null,
         *       "to": "queued",
         *       "transfers": [
         *         {
         *           "id": "hold:imgtask_01k8a3v5w2x9y7z4q6r8s1t3v5",
         *           "kind": "hold",
         *           "amount": 20000
         *         }
         *       ],
         *       "request_id": "req_01k8a3v5w2x9y7z4q6r8s1t3v5",
         *       "occurred_at": 1767225600
         *     }
         */
        readonly HistoryEntry: {
            /** @description What happened to the task. */
            readonly event: string;
            /** @description The state before; null for the submission. */
            readonly from: ("queued" | "in_progress" | "completed" | "failed" | "unknown" | "running" | "succeeded") | null;
            /**
             * @description The state after.
             * @enum {string}
             */
            readonly to: "queued" | "in_progress" | "completed" | "failed" | "unknown" | "running" | "succeeded";
            /** @description The ledger transfers that the step made. */
            readonly transfers: readonly {
                /** @description Identifier; ids sort by the time at which they were made. */
                readonly id: string;
                /**
                 * @description Which kind it is.
                 * @enum {string}
                 */
                readonly kind: "hold" | "settle" | "release";
                /** @description How much: US dollars in a quote, account units in the ledger. */
                readonly amount: number;
            }[];
            /** @description The request that caused it: the `x-request-id` of that answer. Null: the service itself. */
            readonly request_id: string | null;
            /** @description When it happened, in Unix seconds. */
            readonly occurred_at: number;
        };
        /**
         * @description The account's money and the API key's quota, in account quota units.
         * @example {
         *       "object": "balance",
         *       "wallet": 4960000,
         *       "held": 20000,
         *       "spent": 20000,
         *       "granted": 5000000,
         *       "key_quota": null,
         *       "key_used": 40000,
         *       "units_per_usd": 500000
         *     }
         */
        readonly Balance: {
            /**
             * @description The kind of object.
             * @enum {string}
             */
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
