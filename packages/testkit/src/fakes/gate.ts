// A door a test opens: whoever waits at it goes on from that moment.
export type Gate = {
	readonly opened: Promise<void>;
	open(): void;
};

export function createGate(): Gate {
	const { promise, resolve } = Promise.withResolvers<void>();
	return { opened: promise, open: resolve };
}
