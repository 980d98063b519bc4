/**
 * Files are read in a worker of the console or in a command, which need no further threads. Slices of 64 KiB outlive
 * the garbage collections of young objects, and take 20 MB more.
 */
export const zipConfiguration = { useWebWorkers: false, chunkSize: 16_384 };
