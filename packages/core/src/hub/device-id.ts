// The id of a device, derived from its key: no other key can take its place.
import { type DeviceId, deviceId } from '@roost/protocol/ids';

const ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789';
const ID_LENGTH = 16;

/** 80 bits of the hash of its key. `hash`: SHA-256 as hex. */
export function toDeviceId(publicKey: string, hash: (text: string) => string): DeviceId {
	const bytes = hash(publicKey).match(/../g) ?? [];
	const letters = bytes.slice(0, ID_LENGTH).map((byte) => ALPHABET[Number.parseInt(byte, 16) % ALPHABET.length]);
	return deviceId.parse(letters.join(''));
}
