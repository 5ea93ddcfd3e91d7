// The version of this program, for those who meet it over a socket.
export const VERSION = '0.1.0';
