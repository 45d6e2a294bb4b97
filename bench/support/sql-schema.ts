// An exchange on a SQL database: balances, orders and a ledger, in the plain form that favors the
// database. Amounts are 64-bit integers, not decimals, and there is one index beside the primary
// keys.

/** Customers that orders are spread over, so that they rarely wait for each other's row. */
export const SQL_USERS = 1000;

/** Balances far above what a run can spend, in the smallest unit. */
export const SQL_FUNDS = 9_000_000_000_000_000n;

export const COST_CENTS = 5_000_000;

/** Both databases understand this, except for how a key is generated. */
export const schema = (generatedKey: string): readonly string[] => [
  `CREATE TABLE balances (
     uid bigint NOT NULL, asset text NOT NULL, available bigint NOT NULL, held bigint NOT NULL,
     PRIMARY KEY (uid, asset))`,
  `CREATE TABLE orders (
     order_id ${generatedKey}, uid bigint NOT NULL, side integer NOT NULL, price bigint NOT NULL,
     quantity bigint NOT NULL, leaves bigint NOT NULL, status integer NOT NULL,
     created_at bigint NOT NULL)`,
  'CREATE INDEX orders_of_user ON orders (uid)',
  `CREATE TABLE ledger (
     entry_id ${generatedKey}, uid bigint NOT NULL, asset text NOT NULL, amount bigint NOT NULL,
     order_id bigint NOT NULL)`,
];

/**
 * The same transaction in one call: the best that can be had from a client-server database without
 * batching.
 */
export const POSTGRES_FUNCTION = `
  CREATE FUNCTION place_order(of_uid bigint, price bigint, quantity bigint, cost bigint, now bigint)
  RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE new_id bigint;
  BEGIN
    UPDATE balances SET available = available - cost, held = held + cost
      WHERE uid = of_uid AND asset = 'USDT' AND available >= cost;
    IF NOT FOUND THEN RETURN NULL; END IF;
    INSERT INTO orders (uid, side, price, quantity, leaves, status, created_at)
      VALUES (of_uid, 1, price, quantity, quantity, 0, now) RETURNING order_id INTO new_id;
    INSERT INTO ledger (uid, asset, amount, order_id) VALUES (of_uid, 'USDT', -cost, new_id);
    RETURN new_id;
  END $$`;
