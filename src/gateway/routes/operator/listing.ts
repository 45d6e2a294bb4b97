// The operator's calls about what is traded: assets, instruments and their terms, and the fees by
// volume.

import { listedAsset, listedInstrument } from '../../../contract/operator/answers.ts';
import { operatorCalls } from '../../../contract/operator/calls.ts';
import { toSetFeeTiers, writeFeeTiers } from '../../../contract/operator/fee-tiers.ts';
import {
  assetsOfSymbol,
  toAmendInstrument,
  toCreateInstrument,
} from '../../../contract/operator/listing.ts';
import { requireSomeField } from '../../../contract/operator/users.ts';
import type { Instrument } from '../../../core/instrument.ts';
import { rejection } from '../../../core/reject.ts';
import { ok, rejectReply, replyTo } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { instrumentOf } from './call.ts';

const writeInstrument = (one: Instrument) => listedInstrument.write(one, one);

const createAsset = route(operatorCalls.createAsset, {
  audit: { action: 'asset.create', object: (_, body) => body?.asset ?? null },
  async handle(services, { body }) {
    const { assets } = services.engine.exchange.state;
    const receipt = await services.engine.submit({ type: 'createAsset', ...body });
    return replyTo(services, receipt, ({ assetId }) => listedAsset.write(assets[assetId]!));
  },
});

const listAssets = route(operatorCalls.assets, {
  audit: { action: 'asset.list' },
  handle: ({ engine }) =>
    ok(
      engine.exchange.state.assets.map((each) => listedAsset.write(each)),
      engine.seq,
    ),
});

const createInstrument = route(operatorCalls.createInstrument, {
  audit: { action: 'instrument.create', object: (_, body) => body?.symbol ?? null },
  async handle(services, { body }) {
    const { state } = services.engine.exchange;
    const [base, quote] = assetsOfSymbol(body.symbol).map((name) => state.assetNamed(name));
    if (base === undefined || quote === undefined || base === quote) {
      return rejectReply(services, rejection('assetUnknown', 'symbol'));
    }
    const receipt = await services.engine.submit(toCreateInstrument(body, base, quote));
    return replyTo(services, receipt, ({ securityId }) =>
      writeInstrument(state.instruments[securityId]!),
    );
  },
});

const listInstruments = route(operatorCalls.instruments, {
  audit: { action: 'instrument.list' },
  handle({ engine }) {
    const listed = engine.exchange.state.instruments.filter((one) => one !== undefined);
    return ok(listed.map(writeInstrument), engine.seq);
  },
});

const amendInstrument = route(operatorCalls.amendInstrument, {
  audit: { action: 'instrument.amend', object: ({ symbol }) => symbol! },
  async handle(services, { params, body }) {
    const instrument = instrumentOf(services, params.symbol!);
    requireSomeField(body);
    const receipt = await services.engine.submit(toAmendInstrument(body, instrument));
    return replyTo(services, receipt, () => writeInstrument(instrument));
  },
});

const getFeeTiers = route(operatorCalls.feeTiers, {
  audit: { action: 'feeTiers.read' },
  handle: ({ engine }) => ok(writeFeeTiers(engine.exchange.state), engine.seq),
});

const setFeeTiers = route(operatorCalls.setFeeTiers, {
  audit: { action: 'feeTiers.amend' },
  async handle(services, { body }) {
    const { state } = services.engine.exchange;
    const receipt = await services.engine.submit(toSetFeeTiers(state, body));
    return replyTo(services, receipt, () => writeFeeTiers(state));
  },
});

export const operatorListingRoutes: readonly Route[] = [
  createAsset,
  listAssets,
  createInstrument,
  listInstruments,
  amendInstrument,
  getFeeTiers,
  setFeeTiers,
];
