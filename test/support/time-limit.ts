// The one time limit of every test. It is generous: a busy machine may be many times slower than
// a quiet one.
import { setDefaultTimeout } from 'bun:test';

const LIMIT_MS = 300_000;

setDefaultTimeout(LIMIT_MS);
