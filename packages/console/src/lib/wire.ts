import type {
  WireAdminChannel,
  WireAdminModel,
  WireAdminTask,
  WireAdminTaskDetail,
  WireAdminToken,
  WireAdminTool,
  WireAuditEntry,
  WireBalance,
  WireCallback,
  WireDayList,
  WireKey,
  WireModel,
  WireNewKey,
  WireOverview,
  WirePlugin,
  WireQuote,
  WireSession,
  WireSetting,
  WireSpenderList,
  WireStats,
  WireTask,
  WireTool,
  WireToolFile,
  WireTransfer,
  WireUser,
} from "@atelier/api"

export type AdminModel = WireAdminModel
export type AdminTask = typeof WireAdminTask.Type
export type AdminTaskDetail = WireAdminTaskDetail
export type AdminToken = WireAdminToken
export type AdminTool = WireAdminTool
export type AuditEntry = WireAuditEntry
export type Balance = WireBalance
export type Callback = WireCallback
export type Channel = WireAdminChannel
export type Day = (typeof WireDayList.Type)["data"][number]
export type Key = WireKey
export type Model = WireModel
export type NewKey = typeof WireNewKey.Type
export type Overview = WireOverview
export type Plugin = WirePlugin
export type Quote = WireQuote
export type Session = WireSession
export type Setting = WireSetting
export type Spender = (typeof WireSpenderList.Type)["data"][number]
export type Stats = WireStats
export type Task = WireTask
export type Tool = WireTool
export type ToolFile = WireToolFile
export type Transfer = WireTransfer
export type User = WireUser

export interface List<A> {
  readonly data: ReadonlyArray<A>
}

/** What both kinds of tasks have in common, under one name. */
export const stateOf = (task: Task): string => (task.object === "image.task" ? task.state : task.status)
export const subjectOf = (task: Task): string => (task.object === "image.task" ? task.model : task.tool_id)
export const heldOf = (task: Task): number =>
  task.object === "image.task" ? task.billing.held : task.billing.pre_deducted
export const releasedOf = (task: Task): number =>
  task.object === "image.task" ? task.billing.released : task.billing.refunded
export const isFinal = (task: Task): boolean => ["completed", "succeeded", "failed"].includes(stateOf(task))
