// Texts of the operator console about the cluster.
import { inLanguage } from './catalog.ts';

const en = {
  cluster: 'Cluster',
  nodes: 'Nodes',
  leader: 'Leader',
  leadsSince: 'Leads since',
  term: 'Term',
  connected: 'Connected nodes',
  writes: 'Writes',
  accepted: 'Accepted',
  rejected: { storageFull: 'Rejected: PostgreSQL has no room', noLeader: 'Rejected: no leader' },
  node: 'Node',
  role: 'Role',
  roles: {
    leader: 'Leader',
    follower: 'Follower',
    lost: 'Lost',
    stopped: 'Stopped',
    unknown: 'Unknown',
  },
  cause: 'Cause',
  lastSeen: 'Last seen',
  action: 'Action',
  commands: 'Commands',
  lag: 'Lag',
  connectedSince: 'Connected since',
  link: 'Link',
  nodesUse:
    'The leader puts all writes in order; every node answers reads. “Lag” counts the commands ' +
    'that a node has not applied yet. A lost node has no connection and gives no sign.',
  handOver: 'Hand over lead…',
  handOverName: (node: string) => `Hand over lead to ${node}`,
  question: (node: string) => `Hand over lead to ${node}?`,
  confirm: 'Hand over lead',
  consequences: (node: string, leader: string) => [
    `${node} leads from now on, and ${leader} follows it.`,
    'Writes wait for less than a second. The cluster rejects none of them.',
    'You can hand the lead back at any time.',
  ],
  leadsNow: (node: string, term: string) => `${node} leads now, in term ${term}.`,
};

export const clusterText = inLanguage({ en });
