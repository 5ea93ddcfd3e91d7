// The part of a WebSocket that the terminal client needs, for browsers, Node and tests to implement.

export type TerminalSocket = {
	sendText(text: string): void;
	sendBytes(bytes: Uint8Array): void;
	close(): void;
	onOpen(handler: () => void): void;
	onText(handler: (text: string) => void): void;
	onBytes(handler: (bytes: Uint8Array) => void): void;
	/** Once, with the reason; also when it could not be opened. */
	onClose(handler: (reason: string) => void): void;
};
