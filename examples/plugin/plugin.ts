import { defineAdapter } from "@atelier/models"
import { definePlugin } from "@atelier/plugin"
import { makeChannel } from "../model/channel.ts"
import { family } from "../model/family.ts"
import { makeVendor } from "../model/vendor.ts"

export default definePlugin({
  name: "swatches",
  families: [family],
  adapters: {
    swatch: defineAdapter({
      // The example's vendor lives in this process; an upstream's adapter asks `settings.http` at `settings.baseUrl`.
      baseUrl: "http://swatches.invalid",
      make: ({ channelId }) => ({ ...makeChannel(makeVendor()), id: channelId }),
    }),
  },
})
