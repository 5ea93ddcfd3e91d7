// What the terminal client needs of a WebSocket, beside text also bytes: small enough for a browser, for Node, and for a test.

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
