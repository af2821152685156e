# shellcheck shell=sh
# Sourced by tests that need Slurm: a cluster of two nodes on this machine, in the present folder, on ports of its own.
# slurm_start skips the test (77) where Slurm is not installed or cannot start. slurm_end stops the daemons.

skip() {
    echo "SKIPPED: $*" >&2
    slurm_end
    exit 77
}

slurm_end() {
    for file in slurm.n1.pid slurm.n2.pid slurmctld.pid munged.pid; do
        [ -e "$file" ] && kill "$(cat "$file")" 2>/dev/null
    done
    return 0
}

slurm_start() {
    for program in munged slurmctld slurmd sbatch squeue scontrol scancel; do
        PATH=$PATH:/usr/sbin command -v $program >/dev/null || skip "no $program; install slurm-wlm"
    done
    PATH=$PATH:/usr/sbin
    [ "$(id -u)" = 0 ] || skip 'slurmd needs root'
    folder=$PWD
    host=$(hostname -s)
    port=$((20000 + $$ % 20000))
    head -c 1024 /dev/urandom >munge.key
    chmod 600 munge.key
    munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
        --log-file="$folder/munged.log" --seed-file="$folder/munge.seed" || skip "munged: $(cat munged.log)"
    mkdir -p state
    cat >slurm.conf <<CONF
ClusterName=weft
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool.%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurm.%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0
ReturnToService=2
InactiveLimit=0
KillWait=1
MinJobAge=2
SlurmctldTimeout=30
SlurmdTimeout=60
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 State=UNKNOWN
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 State=UNKNOWN
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
PartitionName=other Nodes=n1 MaxTime=INFINITE State=UP
CONF
    SLURM_CONF=$folder/slurm.conf
    export SLURM_CONF
    slurmctld -c >slurmctld.out 2>&1 || skip "slurmctld: $(cat slurmctld.out)"
    slurmd -N n1 >slurmd.out 2>&1 || skip "slurmd: $(cat slurmd.out)"
    slurmd -N n2 >>slurmd.out 2>&1 || skip "slurmd: $(cat slurmd.out)"
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        [ "$(sinfo --noheader --partition=main --format=%D%t 2>/dev/null)" = 2idle ] && return 0
        sleep 0.5
    done
    skip "the nodes of Slurm do not come up: $(sinfo 2>&1; tail -n 5 slurmctld.log)"
}
