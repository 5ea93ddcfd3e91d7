// The version of the command line, on its own: who only asks for it waits for nothing else.
export const VERSION = '0.1.0';
