// What a hub of one node has in place of others.
import { createLocalNetwork } from '@roost/hub/bus/local-bus';

export function loneNode() {
	return {
		bus: createLocalNetwork().join(),
		node: 'alone',
		warn(sentence: string): never {
			throw new Error(sentence);
		},
	};
}
