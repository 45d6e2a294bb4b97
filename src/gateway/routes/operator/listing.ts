// The operator's calls about what is traded: assets, instruments and their terms.

import { requireSomeField } from '../../../contract/operator.ts';
import {
  amendInstrumentBody,
  assetsOfSymbol,
  createAssetBody,
  createInstrumentBody,
  toAmendInstrument,
  toCreateInstrument,
  writeAsset,
  writeInstrument,
} from '../../../contract/operator-listing.ts';
import { rejectPlain } from '../../../core/reject.ts';
import { ok, replyTo } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { instrumentOf, OPERATOR, rejectReply } from './call.ts';

const createAsset = route({
  method: 'POST',
  path: `${OPERATOR}/assets`,
  access: 'operator',
  audit: { action: 'asset.create', object: (_, body) => body?.asset ?? null },
  summary: 'Lists an asset. Its scale never changes.',
  body: createAssetBody,
  async handle(services, { body }) {
    const { assets } = services.engine.exchange.state;
    const receipt = await services.engine.submit({ type: 'createAsset', ...body });
    return replyTo(services, receipt, ({ assetId }) => writeAsset(assets[assetId]!));
  },
});

const listAssets = route({
  method: 'GET',
  path: `${OPERATOR}/assets`,
  access: 'operator',
  audit: { action: 'asset.list' },
  summary: 'All assets.',
  handle: ({ engine }) => ok(engine.exchange.state.assets.map(writeAsset), engine.seq),
});

const createInstrument = route({
  method: 'POST',
  path: `${OPERATOR}/instruments`,
  access: 'operator',
  audit: { action: 'instrument.create', object: (_, body) => body?.symbol ?? null },
  summary: 'Lists an instrument. Its increments never change, its other terms may.',
  body: createInstrumentBody,
  async handle(services, { body }) {
    const { state } = services.engine.exchange;
    const [base, quote] = assetsOfSymbol(body.symbol).map((name) => state.assetNamed(name));
    if (base === undefined || quote === undefined || base === quote) {
      return rejectReply(services, rejectPlain('assetUnknown', 'symbol'));
    }
    const receipt = await services.engine.submit(toCreateInstrument(body, base, quote));
    return replyTo(services, receipt, ({ securityId }) =>
      writeInstrument(state.instruments[securityId]!),
    );
  },
});

const listInstruments = route({
  method: 'GET',
  path: `${OPERATOR}/instruments`,
  access: 'operator',
  audit: { action: 'instrument.list' },
  summary: 'All instruments with all their terms.',
  handle({ engine }) {
    const listed = engine.exchange.state.instruments.filter((one) => one !== undefined);
    return ok(listed.map(writeInstrument), engine.seq);
  },
});

const amendInstrument = route({
  method: 'PATCH',
  path: `${OPERATOR}/instruments/{symbol}`,
  access: 'operator',
  audit: { action: 'instrument.amend', object: ({ symbol }) => symbol! },
  summary: 'Changes minimum sizes, fees, self-trade prevention, price band or status.',
  body: amendInstrumentBody,
  async handle(services, { params, body }) {
    const instrument = instrumentOf(services, params.symbol!);
    requireSomeField(body);
    const receipt = await services.engine.submit(toAmendInstrument(body, instrument));
    return replyTo(services, receipt, () => writeInstrument(instrument));
  },
});

export const operatorListingRoutes: readonly Route[] = [
  createAsset,
  listAssets,
  createInstrument,
  listInstruments,
  amendInstrument,
];
