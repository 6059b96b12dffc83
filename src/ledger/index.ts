/** What the rest of Beckon may know of the ledger. */
export * from './access.ts';
export * from './board.ts';
export * from './desk.ts';
export { canonicalText, digestOf, entryHash } from './digest.ts';
export {
  type AskingKind,
  askSchemas,
  caps,
  faultOfWords,
  InvalidPayload,
  parseAsk,
  parsePayload,
} from './parse-ask.ts';
export * from './request.ts';
export { placeOf, type RequestResult, resultSchema, timeoutAnswer, toResult, toResultText } from './result.ts';
