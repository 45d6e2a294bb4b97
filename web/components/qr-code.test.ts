// The path of a QR code against the modules that it stands for.
import { expect, test } from 'bun:test';
import { encode } from 'uqr';
import { qrPath } from './qr-code.tsx';

const TEXT =
  'otpauth://totp/agio:name%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=agio';

/** Which modules a path makes dark, drawn by reading it. */
function drawn(path: string, size: number): boolean[][] {
  const modules = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let i = 0; i < Number(width); i++) modules[Number(y)]![Number(x) + i] = true;
  }
  return modules;
}

test('the path covers exactly the dark modules of the code', () => {
  const { size, path } = qrPath(TEXT);
  const { data } = encode(TEXT, { ecc: 'M', border: 4 });
  expect(size).toBe(data.length);
  expect(drawn(path, size)).toEqual(data);
});

test('a quiet zone of four modules surrounds the code', () => {
  const { size, path } = qrPath(TEXT);
  const modules = drawn(path, size);
  const dark = modules.flatMap((row, y) => row.flatMap((on, x) => (on ? [[x, y]] : [])));
  const edges = dark.flat();
  expect(Math.min(...edges)).toBe(4);
  expect(Math.max(...edges)).toBe(size - 5);
});

test('each run ends where it began', () => {
  const { path } = qrPath(TEXT);
  expect(path.replace(/M\d+ \d+h(\d+)v1h-\1z/g, '')).toBe('');
});
