// The sentence that says what an order will do.
import { inLanguage } from './catalog.ts';

const verb = (buys: boolean): string => (buys ? 'buys' : 'sells');
const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const en = {
  upTo: (size: string) => `up to ${size}`,
  market: (buys: boolean, size: string) => `${upper(verb(buys))} ${size} at market.`,
  marketAllOrNothing: (buys: boolean, size: string) =>
    `${upper(verb(buys))} all of ${size} at market, or nothing.`,
  limit: (buys: boolean, size: string, price: string) =>
    `${upper(verb(buys))} ${size} at ${price} or better.`,
  postOnly: (buys: boolean, size: string, price: string) =>
    `Waits in the book to ${buys ? 'buy' : 'sell'} ${size} at ${price}.`,
  when: (up: boolean, trigger: string, does: string) =>
    `When the last price ${up ? 'rises' : 'falls'} to ${trigger}, ${does}.`,
  trailsNow: (buys: boolean, distance: string, trigger: string | null) =>
    `Trails from now on, ${distance} ${buys ? 'above' : 'below'} the last price` +
    `${trigger === null ? '' : `: the trigger is ${trigger}`}.`,
  trailsFrom: (
    up: boolean,
    start: string,
    buys: boolean,
    distance: string,
    trigger: string | null,
  ) =>
    `Begins to trail when the last price ${up ? 'rises' : 'falls'} to ${start}, ` +
    `${distance} ${buys ? 'above' : 'below'} it` +
    `${trigger === null ? '' : `: the first trigger is ${trigger}`}.`,
  trails: (buys: boolean, does: string) => {
    const [toward, away] = buys ? ['falls', 'rises'] : ['rises', 'falls'];
    return (
      `The trigger ${toward} with the price and never ${away}. ` +
      `When the last price ${away} to it, ${does}.`
    );
  },
  atMarket: (buys: boolean, size: string) => `${verb(buys)} ${size} at market`,
  atLimit: (buys: boolean, size: string, price: string) =>
    `${verb(buys)} ${size} at ${price} or better`,
  oco: (up: boolean, trigger: string, does: string) =>
    `If the last price ${up ? 'rises' : 'falls'} to ${trigger} first, ${does} instead.`,
  bracket: (sells: boolean, profit: string, up: boolean, trigger: string, stop: string) =>
    `Then ${sells ? 'sells it' : 'buys it back'} at ${profit} or better, or ${stop} when the ` +
    `last price ${up ? 'rises' : 'falls'} to ${trigger}.`,
  stopAtMarket: 'at market',
  stopAtLimit: (price: string) => `at ${price} or better`,
  IOC: 'The exchange cancels what does not trade immediately.',
  FOK: 'It trades completely and immediately, or not at all.',
  GTD: (time: string) => `It expires on ${time}.`,
  shown: (quantity: string) => `The book shows ${quantity} at a time.`,
};

export const orderSentences = inLanguage({ en });
