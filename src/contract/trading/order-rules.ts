// The rules of order terms, for the pages.
export { isLimit, isStop } from '../../core/fix.ts';
export * from '../../core/order-rules.ts';
