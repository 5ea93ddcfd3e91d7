// A promise that a test resolves.
export type Gate = {
	readonly opened: Promise<void>;
	open(): void;
};

export function createGate(): Gate {
	const { promise, resolve } = Promise.withResolvers<void>();
	return { opened: promise, open: resolve };
}
