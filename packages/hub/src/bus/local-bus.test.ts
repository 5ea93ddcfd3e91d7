import { describeBus } from './bus.contract.ts';
import { createLocalNetwork } from './local-bus.ts';

describeBus('the bus in one process', async () => {
	const { join } = createLocalNetwork();
	return { join: async () => join(), [Symbol.asyncDispose]: async () => undefined };
});
