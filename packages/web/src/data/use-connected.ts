// What a page can reach besides the world: the API, the stream, and this browser as a device.
import { createContext, useContext } from 'react';
import type { Connected } from './connect.ts';

const ConnectedContext = createContext<Connected | null>(null);
export const ConnectedProvider = ConnectedContext.Provider;

export function useConnected(): Connected {
	const connected = useContext(ConnectedContext);
	if (!connected) throw new Error('not connected: render inside ConnectedProvider');
	return connected;
}
