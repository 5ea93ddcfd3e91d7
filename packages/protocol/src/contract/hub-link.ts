// The connection of this runner to its hub.
import { hubLinkStatus } from '../api/hub-link.ts';
import { operation } from './operation.ts';

export const hubLink = {
	status: operation({ method: 'GET', needs: 'view', from: 'machine' }, '/hub', 'The connection of this runner to its hub', {
		reply: hubLinkStatus,
	}),
	connect: operation(
		{ method: 'POST', needs: 'own', from: 'machine', tokenOnly: true },
		'/hub/connect',
		'Read the pairing with a hub again, and connect as it says',
		{ reply: hubLinkStatus },
	),
} as const;
