import { createMemoryStore } from './memory-store.ts';
import { describeStore } from './store.contract.ts';

describeStore('the memory store', async () => {
	const store = createMemoryStore();
	return { store, [Symbol.asyncDispose]: () => store.close() };
});
