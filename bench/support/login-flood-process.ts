// The flood of part `login-flood`: a process that logs in at a fixed pace, each time as another
// user and from another network, so neither the lockout nor the queue of one network delays it.
import { argumentOf, report } from './processes.ts';

export interface FloodPlan {
  readonly url: string;
  readonly perSecond: number;
  readonly seconds: number;
  /** Logins in flight; those that are due beyond the maximum are left out. */
  readonly maximum: number;
}

export interface Flood {
  readonly sent: number;
  /** Looked at, and found to be wrong: each cost a password hash. */
  readonly looked: number;
  /** Turned away because too many passwords were waiting. */
  readonly turnedAway: number;
}

async function flood({ url, perSecond, seconds, maximum }: FloodPlan): Promise<Flood> {
  const statuses = new Map<number, number>();
  const open = new Set<Promise<void>>();
  const total = Math.round(perSecond * seconds);
  const start = performance.now();
  const dueNow = (): number => Math.floor(((performance.now() - start) / 1000) * perSecond);
  let next = 0;
  let sent = 0;
  while (next < total) {
    for (const due = Math.min(total, dueNow()); next < due; next++) {
      if (open.size >= maximum) continue;
      sent++;
      const login = attempt(url, next).then((status) => {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        open.delete(login);
      });
      open.add(login);
    }
    await Bun.sleep(2);
  }
  await Promise.all(open);
  const looked = statuses.get(401) ?? 0;
  const turnedAway = statuses.get(503) ?? 0;
  if (looked === 0 || looked + turnedAway !== sent) {
    throw new Error(`the flood was answered otherwise: ${JSON.stringify([...statuses])}`);
  }
  return { sent, looked, turnedAway };
}

async function attempt(url: string, n: number): Promise<number> {
  const salt = Math.floor(Math.random() * 2 ** 32);
  const answer = await fetch(`${url}/user-center/v1/login`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Forwarded-For': `10.${salt & 255}.${(salt >> 8) & 255}.1`,
    },
    body: JSON.stringify({ email: `u${n}-${salt}@example.com`, password: 'a guess that is wrong' }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

report(await flood(argumentOf<FloodPlan>()));
