// A connection to one runner, for one command: to the own one, or through a hub.
import type { ApiClient } from '@roost/client/api-client';
import type { StreamClient } from '@roost/client/stream-client';
import type { TerminalSocket } from '@roost/client/terminal-socket';
import type { AskRow } from '@roost/protocol/ask';
import type { TerminalId } from '@roost/protocol/ids';

export type Connected = {
	api: ApiClient;
	/** A restarted runner may have another port. */
	baseUrl: () => string;
	openStream: () => StreamClient;
	openTerminalSocket: (id: TerminalId) => TerminalSocket;
	/** Of a request as it is displayed, for a runner behind a hub. */
	toShown?: (ask: Pick<AskRow, 'tool' | 'input'>) => Promise<string>;
};
