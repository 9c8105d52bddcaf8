import { leasedAsAddedSuite } from "@atelier/core/testing"
import { Sql } from "@atelier/sql"
import { temporaryDatabase } from "./temporary.ts"

leasedAsAddedSuite("SQLite", Sql.layerSqlite({ filename: temporaryDatabase() }))
