import { RateLimiter } from "@atelier/core"
import { rateLimiterSuite } from "@atelier/core/testing"

rateLimiterSuite("memory", RateLimiter.layerMemory)
