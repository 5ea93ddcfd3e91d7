// The texts that runners and hubs sign to each other; apart from the schemas. No part contains a newline.

export type LinkPurpose =
	| { purpose: 'join'; code: string; runnerKey: string; deviceKey: string }
	| { purpose: 'joined'; code: string; runnerKey: string; deviceKey: string; hubKey: string }
	/** `nonce`: of the challenge. */
	| { purpose: 'register'; hub: string; nonce: string; runner: string; epoch: number; lastSeqNo: number }
	/** `nonce`: of the registration. */
	| { purpose: 'registered'; hub: string; nonce: string; runner: string; epoch: number; hubSeqNo: number }
	/** A runner joins a channel that the hub opened. */
	| { purpose: 'channel'; hub: string; channel: string; runner: string }
	/** Both keys of a sealed terminal. `attach`: the signature of the face, which covers its key and the terminal. */
	| { purpose: 'terminal'; runner: string; terminal: string; attach: string; faceKey: string; runnerKey: string };

/** The parts in the order of the type, under a header of their own, so that no signature fits a second purpose. */
export function toLinkText(signed: LinkPurpose): string {
	switch (signed.purpose) {
		case 'join':
			return lines('join', signed.code, signed.runnerKey, signed.deviceKey);
		case 'joined':
			return lines('joined', signed.code, signed.runnerKey, signed.deviceKey, signed.hubKey);
		case 'register':
			return lines('register', signed.hub, signed.nonce, signed.runner, signed.epoch, signed.lastSeqNo);
		case 'registered':
			return lines('registered', signed.hub, signed.nonce, signed.runner, signed.epoch, signed.hubSeqNo);
		case 'channel':
			return lines('channel', signed.hub, signed.channel, signed.runner);
		case 'terminal':
			return lines('terminal', signed.runner, signed.terminal, signed.attach, signed.faceKey, signed.runnerKey);
	}
}

function lines(purpose: string, ...parts: readonly (string | number)[]): string {
	return ['roost-link-1', purpose, ...parts].join('\n');
}
