import fc from 'fast-check'

// The seed of every property test in this run.
fc.configureGlobal({ seed: Number(process.env['INDEXWATCH_TEST_SEED']) })
