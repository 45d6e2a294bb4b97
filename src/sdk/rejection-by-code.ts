// The error of a rejection, by its code.
import { Rejection, type RejectionTerms } from './errors.ts';
import {
  Conflict,
  ERROR_CLASSES,
  Forbidden,
  RateLimited,
  ServerFailure,
  Unauthorized,
  Unavailable,
} from './generated/rejections.ts';

/** A code that is newer than this SDK gets its class by its status. */
export function rejectionBy(rejection: RejectionTerms): Rejection {
  const known = ERROR_CLASSES.get(rejection.code) ?? classOfStatus(rejection.status);
  return new known(rejection);
}

function classOfStatus(status: number): typeof Rejection {
  if (status === 401) return Unauthorized;
  if (status === 403) return Forbidden;
  if (status === 409) return Conflict;
  if (status === 429) return RateLimited;
  if (status === 503) return Unavailable;
  if (status >= 500) return ServerFailure;
  return Rejection;
}
