// The part of a WebSocket that the client needs, for browsers, Node and tests to implement.

export type Socket = {
	send(text: string): void;
	close(): void;
	onOpen(handler: () => void): void;
	onText(handler: (text: string) => void): void;
	/** Once, with the reason; also when it could not be opened. */
	onClose(handler: (reason: string) => void): void;
};

/** Opens a socket to the runner's stream with the caller's credential. */
export type OpenSocket = () => Socket;
