// Subscribes for 30 days on a sandbox, moves its clock, and adds up the interest exactly.
// Run: npx bun examples/sdk-earn.ts [DATA]
import { readFileSync } from 'node:fs';
import { AgioClient, decimal, EarnRejection, OperatorClient } from 'agio/sdk';

const data = process.argv[2] ?? 'data';
const { url, demo, operatorToken } = JSON.parse(readFileSync(`${data}/sandbox.json`, 'utf8'));
const client = new AgioClient({ url, ...demo });
const operator = new OperatorClient({ url, operatorToken });

const plans = await client.plans();
const { planId, planName } = plans.find(({ planType, coin }) => planType === 3 && coin === 'USDT')!;
const preview = await client.previewApply({ planId, amount: '1234.56789012', day: 30 });
console.log(`${planName}: 30 days at ${preview.apy} will earn ${preview.interestAmount}`);

try {
  await client.applyPlan({ planId, amount: '0.00000001', lockDay: 30 });
} catch (error) {
  if (error instanceof EarnRejection)
    console.log(`${error.errorCode}: the least is ${error.nearest}`);
  else throw error;
}

const { applyId } = await client.applyPlan({ planId, amount: '1234.56789012', lockDay: 30 });
const { endDate } = await client.subscription({ applyId });
const { now } = await operator.clock();
await operator.advanceClock({ ms: Number(endDate) - now });

let sum = '0';
for await (const { earnedAmount } of client.allInterest({ applyId })) {
  sum = decimal.add(sum, earnedAmount);
}
console.log(`the days add up to ${sum}: ${decimal.compare(sum, preview.interestAmount) === 0}`);
