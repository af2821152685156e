/* Prefix sums, sorting and the smallest value by CUB, part of execute_cuda.cu. All give the same bits in every run:
 * sums are of integers, and the sort is stable. */

/* Memory that CUB works in. */
int reserve_scratch(Executor *e, size_t bytes) {
    if (bytes <= e->scratch_room)
        return 1;
    cudaStreamSynchronize(e->work);
    cudaFree(e->scratch);
    e->scratch = nullptr;
    e->scratch_room = 0;
    size_t room = bytes + bytes / 2;
    if (!fail(e, cudaMalloc(&e->scratch, room), "memory for lists"))
        return 0;
    e->scratch_room = room;
    return 1;
}

int scan(void *self, int64_t *values, int32_t count) {
    Executor *e = (Executor *)self;
    size_t bytes = 0;
    if (e->failure[0])
        return 0;
    return fail(e, cub::DeviceScan::ExclusiveSum(nullptr, bytes, values, values, count + 1, e->work), "a prefix sum") &&
           reserve_scratch(e, bytes) &&
           fail(e, cub::DeviceScan::ExclusiveSum(e->scratch, bytes, values, values, count + 1, e->work),
                "a prefix sum");
}

int sort(void *self, const gpu_sort_lists *lists, int32_t count, int bits) {
    Executor *e = (Executor *)self;
    size_t bytes = 0;
    if (e->failure[0] || count == 0)
        return !e->failure[0];
    return fail(e,
                cub::DeviceRadixSort::SortPairs(nullptr, bytes, lists->key, lists->sorted_key, lists->value,
                                                lists->sorted_value, count, 0, bits, e->work),
                "sorting") &&
           reserve_scratch(e, bytes) &&
           fail(e,
                cub::DeviceRadixSort::SortPairs(e->scratch, bytes, lists->key, lists->sorted_key, lists->value,
                                                lists->sorted_value, count, 0, bits, e->work),
                "sorting");
}

int least(void *self, const double *values, int32_t count, double *made) {
    Executor *e = (Executor *)self;
    size_t bytes = 0;
    double *to = nullptr;
    *made = INFINITY;
    if (e->failure[0] || count == 0)
        return !e->failure[0];
    if (!fail(e, cub::DeviceReduce::Min(nullptr, bytes, values, to, count, e->work), "a minimum") ||
        !reserve_scratch(e, bytes + 256))
        return 0;
    to = (double *)e->scratch; /* the rest of the scratch begins after it */
    return fail(e, cub::DeviceReduce::Min((char *)e->scratch + 256, bytes, values, to, count, e->work), "a minimum") &&
           read_from(e, made, to, sizeof *made);
}
