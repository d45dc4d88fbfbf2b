package drawbench

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// cpuTime gives the processor time that this process and those it started have used, of threads that
// still live; 0 where there is no Linux to tell.
func cpuTime() (sum time.Duration) {
	children := map[string][]string{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		data, err := os.ReadFile(file)
		if err != nil {
			continue // it ended
		}
		// pid (name) state parent …: the name may hold anything.
		fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
		children[fields[1]] = append(children[fields[1]], strings.Split(file, "/")[2])
	}
	for todo := []string{strconv.Itoa(os.Getpid())}; len(todo) > 0; todo = todo[1:] {
		todo = append(todo, children[todo[0]]...)
		threads, _ := filepath.Glob("/proc/" + todo[0] + "/task/*/schedstat")
		for _, file := range threads {
			data, _ := os.ReadFile(file)
			if used, _, ok := strings.Cut(string(data), " "); ok {
				ns, _ := strconv.ParseInt(used, 10, 64)
				sum += time.Duration(ns)
			}
		}
	}
	return sum
}

func loadAverage() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(data))[:3], " ")
}
