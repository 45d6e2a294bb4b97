// Figures side by side, each with its name above and a note below.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './tiles.module.css';

interface TilesProps {
  /** Names the list for screen readers. */
  readonly label: string;
  readonly children: ReactNode;
}

export const Tiles = ({ label, children }: TilesProps) => (
  <ul className={styles.tiles} aria-label={label}>
    {children}
  </ul>
);

interface TileProps {
  readonly name: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  readonly good?: boolean;
  /** The page with more about it. */
  readonly href?: string;
}

export function Tile({ name, value, note = null, good = false, href }: TileProps) {
  const content = (
    <>
      <span className="dim">{name}</span>
      <span className={`figures ${styles.value} ${good ? 'buy' : ''}`}>{value}</span>
      {note === null ? null : <span className="dim">{note}</span>}
    </>
  );
  return (
    <li>
      {href === undefined ? (
        <div className={styles.tile}>{content}</div>
      ) : (
        <Link href={href} className={styles.tile}>
          {content}
        </Link>
      )}
    </li>
  );
}
