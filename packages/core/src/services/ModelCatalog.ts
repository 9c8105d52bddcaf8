import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { CatalogOverrides, ModelOverride } from "../domain/CatalogOverrides.ts"
import { type CoreError, refuse, type StorageError } from "../domain/CoreError.ts"
import { globMatches, type Principal } from "../domain/Principal.ts"
import { type ImageModel, ImageModels } from "../ports/ImageModel.ts"
import { SettingsStore } from "../ports/SettingsStore.ts"
import { Access, mayUseModel, quote } from "./Access.ts"
import { withPrice } from "./modelPrice.ts"
import { storedOverride } from "./storedOverride.ts"

/** A model as this environment offers it: its declaration with the operator's overrides. */
export interface ModelEntry {
  readonly model: ImageModel
  readonly enabled: boolean
  /** Empty: every key. */
  readonly groups: ReadonlyArray<string>
}

/** Models with the overrides of configuration and administrators, in force at once (contract, Running it). */
export class ModelCatalog extends Context.Service<
  ModelCatalog,
  {
    /** Every model, disabled ones included, for administrators. */
    readonly entries: Effect.Effect<ReadonlyArray<ModelEntry>, StorageError>
    /** What the key may use (contract, Images: `GET /v1/models`). */
    readonly list: (principal: Principal) => Effect.Effect<ReadonlyArray<ImageModel>, StorageError>
    /**
     * An enabled model for a key. Refuses with `model_not_found`, naming a closed model's successor, then with
     * `model_not_allowed` and `group_not_allowed`.
     */
    readonly resolve: (
      principal: Principal,
      id: string,
    ) => Effect.Effect<ImageModel, CoreError | StorageError>
    /**
     * Replaces the administrator's override of a model; refuses with `not_found`, and with `invalid_parameter`
     * to pass on the images of a model whose delivery is fixed.
     */
    readonly override: (
      id: string,
      change: ModelOverride,
    ) => Effect.Effect<ModelEntry, CoreError | StorageError>
  }
>()("@atelier/core/services/ModelCatalog") {
  static readonly layer = Layer.effect(
    ModelCatalog,
    Effect.gen(function* () {
      const access = yield* Access
      const catalog = yield* ImageModels
      const settings = yield* SettingsStore
      const stored = storedOverride(settings, "model", ModelOverride)
      const configured = yield* CatalogOverrides
      const fromFile = (id: string): ModelOverride =>
        Object.assign(
          {},
          ...Object.keys(configured.models)
            .filter((pattern) => globMatches(pattern, id))
            .map((pattern) => configured.models[pattern]),
        )

      const entryOf = Effect.fnUntraced(function* (model: ImageModel) {
        return underOverride(model, { ...fromFile(model.id), ...(yield* stored(model.id)) })
      })

      const find = (id: string) =>
        Effect.suspend(() => {
          const model = catalog.find(id)
          return model === undefined
            ? Effect.succeed(Option.none<ModelEntry>())
            : Effect.map(entryOf(model), Option.some)
        })

      const resolve = Effect.fnUntraced(function* (principal: Principal, id: string) {
        const entry = yield* find(id)
        if (Option.isSome(entry) && entry.value.enabled) {
          yield* access.requireModel(principal, id)
          yield* requireGroup(principal, entry.value)
          return entry.value.model
        }
        const successor = catalog.successorOf(id)
        return yield* refuse(
          "model_not_found",
          successor === undefined
            ? `There is no model ${quote(id)}; the list of models names those that there are.`
            : `The model ${quote(id)} is closed; use ${quote(successor)}.`,
          { param: "model" },
        )
      })

      const entries = Effect.suspend(() => Effect.forEach(catalog.models, entryOf))

      return ModelCatalog.of({
        entries,
        resolve,
        list: (principal) =>
          Effect.map(entries, (all) =>
            all
              .filter((entry) => entry.enabled && mayUseModel(principal, entry.model.id))
              .filter((entry) => inGroup(principal, entry))
              .map(({ model }) => model),
          ),
        override: Effect.fnUntraced(function* (id, change) {
          const model = catalog.find(id)
          if (model === undefined) return yield* refuse("not_found", `There is no model ${quote(id)}.`)
          yield* requireDelivery(model, change)
          yield* settings.put("model", id, { ...(yield* stored(id)), ...change })
          return yield* entryOf(model)
        }),
      })
    }),
  )
}

const inGroup = ({ key }: Principal, { groups }: ModelEntry): boolean =>
  groups.length === 0 || (key.group !== null && groups.includes(key.group))

const requireGroup = (principal: Principal, entry: ModelEntry): Effect.Effect<void, CoreError> =>
  inGroup(principal, entry)
    ? Effect.void
    : Effect.fail(
        refuse(
          "group_not_allowed",
          `The model ${quote(entry.model.id)} is open to the groups ${entry.groups.join(", ")}; this API key is in ${principal.key.group ?? "none"}.`,
          { param: "model" },
        ),
      )

/** image-tasks 1.5: the images of some models are archived whatever the operator says. */
const requireDelivery = (model: ImageModel, { delivery }: ModelOverride): Effect.Effect<void, CoreError> =>
  delivery === undefined || delivery === deliveryOf(model, delivery)
    ? Effect.void
    : Effect.fail(
        refuse(
          "invalid_parameter",
          `\`delivery\` of ${quote(model.id)} is always ${quote(model.delivery)}; got ${quote(delivery)}.`,
          { param: "delivery" },
        ),
      )

const deliveryOf = (model: ImageModel, wanted: ModelOverride["delivery"]): ImageModel["delivery"] =>
  model.deliveryFixed === true ? model.delivery : (wanted ?? model.delivery)

const underOverride = (model: ImageModel, change: ModelOverride): ModelEntry => ({
  enabled: change.enabled ?? true,
  groups: change.groups ?? [],
  model: withPrice({ ...model, delivery: deliveryOf(model, change.delivery) }, change.price),
})
