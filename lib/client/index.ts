export { attachAxios } from './axios-adapter';
export { wrapFetch, type SendFacts } from './fetch-adapter';
export { gotHooks } from './got-adapter';
export { createReporter, type Reporter } from './reporter';
export { makeUuidV7 } from './uuid';
export type { EventWire } from './wire';
