// agio/sdk: the typed client for everything that the exchange offers over HTTP and websockets. Runs
// on Node 20 or later, Bun and in browsers; documented in docs/sdk.md.
export type { AnswerInfo } from './attempt.ts';
export { AgioClient, type ClientOptions } from './client.ts';
export type { Decimal } from './decimal.ts';
export * as decimal from './decimal.ts';
export {
  AgioError,
  EarnRejection,
  InvalidArgument,
  NotReached,
  OutcomeUnknown,
  Rejection,
  type RejectionDetails,
} from './errors.ts';
export { parseExact } from './exact-json.ts';
export {
  Code,
  ExecType,
  Module,
  OrdStatus,
  OrdType,
  PlanType,
  RedemptionStatus,
  Side,
  SubscriptionStatus,
} from './generated/codes.ts';
export * from './generated/rejections.ts';
export type * from './generated/types.ts';
export { LocalBook } from './local-book.ts';
export { ReaderTooSlow } from './message-queue.ts';
export { OperatorClient, type OperatorOptions } from './operator-client.ts';
export type {
  OrderAnswer,
  OrderEntry,
  OrderOptions,
} from './order-entry.ts';
export { PublicClient } from './public-client.ts';
export type { StreamState, WebSocketLike } from './stream-connection.ts';
export { type Endpoint, type StreamOptions, Streams } from './streams.ts';
export { StreamSubscription, type SubscriptionOptions } from './subscription.ts';
export { TradingClient } from './trading-client.ts';
export type { CallOptions, TransportOptions, WriteOptions } from './transport.ts';
export { UserCenterClient, type UserCenterOptions } from './user-center-client.ts';
