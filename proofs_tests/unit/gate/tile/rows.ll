; What is emitted of rows.tgt for x86-64-v3, after LLVM's passes; metadata, attributes and entries are left out.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define internal i32 @rows_slots(ptr %0) {
entry:
  %closure = alloca [8 x i64], align 8
  %in = load ptr, ptr %0, align 8
  %1 = getelementptr inbounds i8, ptr %0, i64 8
  %min = load i64, ptr %1, align 8
  %2 = getelementptr inbounds i8, ptr %0, i64 32
  %min1 = load i64, ptr %2, align 8
  %3 = getelementptr inbounds i8, ptr %0, i64 48
  %stride = load i64, ptr %3, align 8
  %4 = mul i64 %min1, %stride
  %5 = add i64 %min, %4
  %origin3 = sub i64 0, %5
  %6 = getelementptr inbounds i8, ptr %0, i64 56
  %v = load ptr, ptr %6, align 8
  %7 = getelementptr inbounds i8, ptr %0, i64 64
  %min4 = load i64, ptr %7, align 8
  %8 = getelementptr inbounds i8, ptr %0, i64 72
  %len5 = load i64, ptr %8, align 8
  %9 = getelementptr inbounds i8, ptr %0, i64 88
  %min7 = load i64, ptr %9, align 8
  %10 = getelementptr inbounds i8, ptr %0, i64 96
  %len8 = load i64, ptr %10, align 8
  %11 = getelementptr inbounds i8, ptr %0, i64 104
  %stride9 = load i64, ptr %11, align 8
  %12 = mul i64 %min7, %stride9
  %13 = icmp eq i64 %len5, 0
  %14 = icmp eq i64 %len8, 0
  %empty11 = or i1 %13, %14
  br i1 %empty11, label %leave, label %window

leave:
  %status.0 = phi i32 [ 0, %entry ], [ %58, %fails ], [ %67, %holds ]
  ret i32 %status.0

window:
  %15 = getelementptr inbounds i8, ptr %0, i64 40
  %len2 = load i64, ptr %15, align 8
  %16 = getelementptr inbounds i8, ptr %0, i64 16
  %len = load i64, ptr %16, align 8
  %17 = add i64 %min4, 2147483648
  %18 = icmp ult i64 %17, 4294967297
  %19 = icmp ult i64 %len5, 2147483649
  %20 = add i64 %min7, 2147483648
  %21 = icmp ult i64 %20, 4294967297
  %22 = icmp ult i64 %len8, 2147483649
  %23 = add i64 %min, 2147483648
  %24 = icmp ult i64 %23, 4294967297
  %25 = icmp ult i64 %len, 2147483649
  %26 = add i64 %min1, 2147483648
  %27 = icmp ult i64 %26, 4294967297
  %28 = icmp ult i64 %len2, 2147483649
  %29 = add i64 %min4, -1
  %30 = icmp sle i64 %min, %29
  %31 = add i64 %len5, 2
  %32 = add i64 %29, %31
  %33 = add i64 %min, %len
  %34 = icmp sle i64 %32, %33
  %35 = and i1 %30, %34
  %36 = icmp sle i64 %min1, %min7
  %37 = and i1 %35, %36
  %38 = add i64 %len8, 1
  %39 = add i64 %min7, %38
  %40 = add i64 %min1, %len2
  %41 = icmp sle i64 %39, %40
  %42 = and i1 %37, %41
  %43 = and i1 %19, %42
  %44 = and i1 %43, %18
  %45 = and i1 %44, %21
  %46 = and i1 %45, %22
  %47 = and i1 %46, %24
  %48 = and i1 %47, %25
  %49 = and i1 %48, %27
  %50 = and i1 %49, %28
  br i1 %50, label %holds, label %fails

fails:
  %51 = select i1 %28, i32 9, i32 8
  %52 = select i1 %27, i32 %51, i32 7
  %53 = select i1 %25, i32 %52, i32 6
  %54 = select i1 %24, i32 %53, i32 5
  %55 = select i1 %22, i32 %54, i32 4
  %56 = select i1 %21, i32 %55, i32 3
  %57 = select i1 %19, i32 %56, i32 2
  %58 = select i1 %18, i32 %57, i32 1
  br label %leave

holds:
  %59 = add i64 %min4, %12
  %origin13 = sub i64 0, %59
  store i64 %len5, ptr %closure, align 8
  %60 = getelementptr inbounds i8, ptr %closure, i64 8
  store i64 %min4, ptr %60, align 8
  %61 = getelementptr inbounds i8, ptr %closure, i64 16
  store ptr %in, ptr %61, align 8
  %62 = getelementptr inbounds i8, ptr %closure, i64 24
  store i64 %origin3, ptr %62, align 8
  %63 = getelementptr inbounds i8, ptr %closure, i64 32
  store i64 %stride, ptr %63, align 8
  %64 = getelementptr inbounds i8, ptr %closure, i64 40
  store ptr %v, ptr %64, align 8
  %65 = getelementptr inbounds i8, ptr %closure, i64 48
  store i64 %origin13, ptr %65, align 8
  %66 = getelementptr inbounds i8, ptr %closure, i64 56
  store i64 %stride9, ptr %66, align 8
  %67 = call i32 @hy_runtime_parallel_for(i64 %min7, i64 %len8, ptr nonnull @task.0.y, ptr nonnull %closure)
  br label %leave
}

define internal i32 @task.0.y(ptr %0, i64 %1, i64 %2) {
entry:
  %3 = getelementptr inbounds i8, ptr %0, i64 8
  %captured5 = load i64, ptr %3, align 8
  %4 = getelementptr inbounds i8, ptr %0, i64 32
  %captured8 = load i64, ptr %4, align 8
  %5 = getelementptr inbounds i8, ptr %0, i64 56
  %captured13 = load i64, ptr %5, align 8
  %6 = sub nsw i64 %2, %1
  %7 = icmp sgt i64 %6, 0
  br i1 %7, label %loop.preheader, label %end.loop

loop.preheader:
  %8 = getelementptr inbounds i8, ptr %0, i64 48
  %captured12 = load i64, ptr %8, align 8
  %9 = getelementptr inbounds i8, ptr %0, i64 40
  %captured11 = load ptr, ptr %9, align 8
  %10 = getelementptr inbounds i8, ptr %0, i64 24
  %captured7 = load i64, ptr %10, align 8
  %11 = getelementptr inbounds i8, ptr %0, i64 16
  %captured6 = load ptr, ptr %11, align 8
  %captured = load i64, ptr %0, align 8
  %12 = add i64 %captured, 7
  %13 = ashr i64 %12, 3
  %14 = ashr i64 %captured, 3
  %15 = call i64 @llvm.smin.i64(i64 %13, i64 %14)
  %16 = icmp sgt i64 %15, 0
  %17 = call i64 @llvm.smax.i64(i64 %15, i64 0)
  %18 = mul i64 %captured8, %1
  %19 = getelementptr i16, ptr %captured6, i64 %captured7
  %20 = getelementptr i16, ptr %19, i64 %18
  %21 = getelementptr i16, ptr %20, i64 %captured5
  %22 = getelementptr i16, ptr %19, i64 %captured8
  %23 = getelementptr i16, ptr %22, i64 %18
  %24 = getelementptr i16, ptr %23, i64 %captured5
  %25 = mul i64 %captured13, %1
  %26 = getelementptr i16, ptr %captured11, i64 %captured12
  %27 = getelementptr i16, ptr %26, i64 %25
  %28 = getelementptr i16, ptr %27, i64 %captured5
  %29 = call i64 @llvm.smax.i64(i64 %13, i64 0)
  %30 = sub nsw i64 %29, %17
  %31 = icmp sgt i64 %30, 0
  %32 = add i64 %captured5, %captured
  %33 = shl i64 %17, 3
  %invariant.gep = getelementptr i16, ptr %21, i64 %33
  %invariant.gep35 = getelementptr i16, ptr %24, i64 %33
  %invariant.gep37 = getelementptr i8, ptr %invariant.gep35, i64 2
  %invariant.gep39 = getelementptr i16, ptr %28, i64 %33
  br i1 %31, label %loop.us.preheader, label %loop.preheader.split

loop.us.preheader:
  %34 = mul i64 %captured13, %1
  %35 = shl i64 %34, 1
  %36 = shl i64 %captured12, 1
  %37 = add i64 %35, %36
  %38 = shl i64 %captured5, 1
  %39 = add i64 %37, %38
  %scevgep89 = getelementptr i8, ptr %captured11, i64 %39
  %40 = shl i64 %captured13, 1
  %41 = shl i64 %1, 1
  %42 = add i64 %41, 2
  %43 = mul i64 %captured8, %42
  %44 = shl i64 %captured7, 1
  %45 = add i64 %43, %44
  %46 = add i64 %45, %38
  %47 = add i64 %46, 2
  %scevgep95 = getelementptr i8, ptr %captured6, i64 %47
  %48 = shl i64 %captured8, 1
  %49 = shl nuw i64 %17, 4
  %50 = add i64 %35, %49
  %51 = add i64 %50, %36
  %52 = add i64 %51, %38
  %scevgep103 = getelementptr i8, ptr %captured11, i64 %52
  %53 = add i64 %43, %49
  %54 = add i64 %53, %44
  %55 = add i64 %54, %38
  %56 = add i64 %55, 2
  %scevgep108 = getelementptr i8, ptr %captured6, i64 %56
  %57 = add i64 %captured5, %33
  br label %loop.us

loop.us:
  %lsr.iv114 = phi ptr [ %invariant.gep, %loop.us.preheader ], [ %scevgep115, %end.loop15.loopexit.us ]
  %lsr.iv109 = phi ptr [ %scevgep108, %loop.us.preheader ], [ %scevgep110, %end.loop15.loopexit.us ]
  %lsr.iv99 = phi ptr [ %21, %loop.us.preheader ], [ %scevgep100, %end.loop15.loopexit.us ]
  %lsr.iv96 = phi ptr [ %scevgep95, %loop.us.preheader ], [ %scevgep97, %end.loop15.loopexit.us ]
  %lsr.iv90 = phi ptr [ %scevgep89, %loop.us.preheader ], [ %scevgep91, %end.loop15.loopexit.us ]
  %y.us = phi i64 [ %87, %end.loop15.loopexit.us ], [ 0, %loop.us.preheader ]
  %58 = mul i64 %y.us, %captured8
  br i1 %16, label %loop2.preheader.us, label %loop.us.loop14.preheader.us_crit_edge

loop.us.loop14.preheader.us_crit_edge:
  %.pre70 = mul i64 %y.us, %captured13
  br label %loop14.preheader.us

loop2.us:
  %lsr.iv92 = phi i64 [ 0, %loop2.preheader.us ], [ %lsr.iv.next93, %loop2.us ]
  %lsr.iv87 = phi i64 [ %15, %loop2.preheader.us ], [ %lsr.iv.next88, %loop2.us ]
  %scevgep101 = getelementptr i8, ptr %lsr.iv99, i64 %lsr.iv92
  %scevgep102 = getelementptr i8, ptr %scevgep101, i64 -2
  %in.us = load <8 x i16>, ptr %scevgep102, align 2
  %in9.us = load <8 x i16>, ptr %scevgep101, align 2
  %59 = add <8 x i16> %in.us, %in9.us
  %scevgep98 = getelementptr i8, ptr %lsr.iv96, i64 %lsr.iv92
  %in10.us = load <8 x i16>, ptr %scevgep98, align 2
  %60 = add <8 x i16> %59, %in10.us
  %61 = udiv <8 x i16> %60, <i16 3, i16 3, i16 3, i16 3, i16 3, i16 3, i16 3, i16 3>
  %scevgep94 = getelementptr i8, ptr %lsr.iv90, i64 %lsr.iv92
  store <8 x i16> %61, ptr %scevgep94, align 2
  %lsr.iv.next88 = add nsw i64 %lsr.iv87, -1
  %lsr.iv.next93 = add nuw i64 %lsr.iv92, 16
  %exitcond66.not = icmp eq i64 %lsr.iv.next88, 0
  br i1 %exitcond66.not, label %loop14.preheader.us.loopexit, label %loop2.us

loop14.us:
  %lsr.iv121 = phi i64 [ %57, %loop14.preheader.us ], [ %lsr.iv.next122, %end.if.us ]
  %lsr.iv116 = phi ptr [ %lsr.iv114, %loop14.preheader.us ], [ %scevgep117, %end.if.us ]
  %lsr.iv111 = phi ptr [ %lsr.iv109, %loop14.preheader.us ], [ %scevgep112, %end.if.us ]
  %lsr.iv105 = phi ptr [ %scevgep104, %loop14.preheader.us ], [ %scevgep106, %end.if.us ]
  %x__tail1.us = phi i64 [ %85, %end.if.us ], [ 0, %loop14.preheader.us ]
  %x__tail116.us = add nuw nsw i64 %17, %x__tail1.us
  %62 = shl i64 %x__tail116.us, 3
  %63 = add i64 %captured5, %62
  %64 = add i64 %63, 7
  %65 = icmp slt i64 %64, %32
  %66 = icmp slt i64 %63, %32
  %67 = and i1 %66, %65
  %68 = shl i64 %x__tail1.us, 3
  %69 = getelementptr i16, ptr %gep34.us, i64 %68
  br i1 %67, label %all.lanes.us, label %loop20.preheader.us

loop20.us:
  %lane.us = phi i64 [ %79, %end.if22.us ], [ 0, %loop20.preheader.us ]
  %70 = add i64 %lsr.iv121, %lane.us
  %71 = icmp slt i64 %70, %32
  br i1 %71, label %then.us, label %end.if22.us

then.us:
  %72 = shl nuw nsw i64 %lane.us, 1
  %scevgep118 = getelementptr i8, ptr %lsr.iv116, i64 %72
  %73 = shl nuw nsw i64 %lane.us, 1
  %scevgep119 = getelementptr i8, ptr %lsr.iv116, i64 %73
  %scevgep120 = getelementptr i8, ptr %scevgep119, i64 -2
  %in23.us = load i16, ptr %scevgep120, align 2
  %in24.us = load i16, ptr %scevgep118, align 2
  %74 = add i16 %in23.us, %in24.us
  %75 = shl nuw nsw i64 %lane.us, 1
  %scevgep113 = getelementptr i8, ptr %lsr.iv111, i64 %75
  %in25.us = load i16, ptr %scevgep113, align 2
  %76 = add i16 %74, %in25.us
  %77 = udiv i16 %76, 3
  %78 = shl nuw nsw i64 %lane.us, 1
  %scevgep107 = getelementptr i8, ptr %lsr.iv105, i64 %78
  store i16 %77, ptr %scevgep107, align 2
  br label %end.if22.us

end.if22.us:
  %79 = add nuw nsw i64 %lane.us, 1
  %exitcond67.not = icmp eq i64 %79, 8
  br i1 %exitcond67.not, label %end.if.us.loopexit, label %loop20.us

all.lanes.us:
  %80 = getelementptr i8, ptr %69, i64 -2
  %in17.us = load <8 x i16>, ptr %80, align 2
  %in18.us = load <8 x i16>, ptr %69, align 2
  %81 = add <8 x i16> %in17.us, %in18.us
  %gep31.us = getelementptr i16, ptr %gep38.us, i64 %68
  %in19.us = load <8 x i16>, ptr %gep31.us, align 2
  %82 = add <8 x i16> %81, %in19.us
  %83 = udiv <8 x i16> %82, <i16 3, i16 3, i16 3, i16 3, i16 3, i16 3, i16 3, i16 3>
  %84 = getelementptr i16, ptr %gep40.us, i64 %68
  store <8 x i16> %83, ptr %84, align 2
  br label %end.if.us

end.if.us.loopexit:
  br label %end.if.us

end.if.us:
  %85 = add nuw nsw i64 %x__tail1.us, 1
  %scevgep106 = getelementptr i8, ptr %lsr.iv105, i64 16
  %scevgep112 = getelementptr i8, ptr %lsr.iv111, i64 16
  %scevgep117 = getelementptr i8, ptr %lsr.iv116, i64 16
  %lsr.iv.next122 = add i64 %lsr.iv121, 8
  %exitcond68.not = icmp eq i64 %85, %30
  br i1 %exitcond68.not, label %end.loop15.loopexit.us, label %loop14.us

loop20.preheader.us:
  br label %loop20.us

loop14.preheader.us.loopexit:
  br label %loop14.preheader.us

loop14.preheader.us:
  %.pre-phi71 = phi i64 [ %.pre70, %loop.us.loop14.preheader.us_crit_edge ], [ %88, %loop14.preheader.us.loopexit ]
  %gep34.us = getelementptr i16, ptr %invariant.gep, i64 %58
  %gep38.us = getelementptr i16, ptr %invariant.gep37, i64 %58
  %gep40.us = getelementptr i16, ptr %invariant.gep39, i64 %.pre-phi71
  %86 = shl i64 %.pre-phi71, 1
  %scevgep104 = getelementptr i8, ptr %scevgep103, i64 %86
  br label %loop14.us

end.loop15.loopexit.us:
  %87 = add nuw nsw i64 %y.us, 1
  %scevgep91 = getelementptr i8, ptr %lsr.iv90, i64 %40
  %scevgep97 = getelementptr i8, ptr %lsr.iv96, i64 %48
  %scevgep100 = getelementptr i8, ptr %lsr.iv99, i64 %48
  %scevgep110 = getelementptr i8, ptr %lsr.iv109, i64 %48
  %scevgep115 = getelementptr i8, ptr %lsr.iv114, i64 %48
  %exitcond69.not = icmp eq i64 %87, %6
  br i1 %exitcond69.not, label %end.loop.loopexit, label %loop.us

loop2.preheader.us:
  %88 = mul i64 %y.us, %captured13
  br label %loop2.us

loop.preheader.split:
  br i1 %16, label %loop.us49.preheader, label %end.loop

loop.us49.preheader:
  %89 = mul i64 %captured13, %1
  %90 = shl i64 %89, 1
  %91 = shl i64 %captured12, 1
  %92 = add i64 %90, %91
  %93 = shl i64 %captured5, 1
  %94 = add i64 %92, %93
  %scevgep = getelementptr i8, ptr %captured11, i64 %94
  %95 = shl i64 %captured13, 1
  %96 = shl i64 %1, 1
  %97 = add i64 %96, 2
  %98 = mul i64 %captured8, %97
  %99 = shl i64 %captured7, 1
  %100 = add i64 %98, %99
  %101 = add i64 %100, %93
  %102 = add i64 %101, 2
  %scevgep79 = getelementptr i8, ptr %captured6, i64 %102
  %103 = shl i64 %captured8, 1
  br label %loop.us49

loop.us49:
  %lsr.iv83 = phi ptr [ %21, %loop.us49.preheader ], [ %scevgep84, %end.loop3.loopexit.us61 ]
  %lsr.iv80 = phi ptr [ %scevgep79, %loop.us49.preheader ], [ %scevgep81, %end.loop3.loopexit.us61 ]
  %lsr.iv74 = phi ptr [ %scevgep, %loop.us49.preheader ], [ %scevgep75, %end.loop3.loopexit.us61 ]
  %y.us50 = phi i64 [ %107, %end.loop3.loopexit.us61 ], [ 0, %loop.us49.preheader ]
  br label %loop2.us51

loop2.us51:
  %lsr.iv76 = phi i64 [ 0, %loop.us49 ], [ %lsr.iv.next77, %loop2.us51 ]
  %lsr.iv = phi i64 [ %15, %loop.us49 ], [ %lsr.iv.next, %loop2.us51 ]
  %scevgep85 = getelementptr i8, ptr %lsr.iv83, i64 %lsr.iv76
  %scevgep86 = getelementptr i8, ptr %scevgep85, i64 -2
  %in.us53 = load <8 x i16>, ptr %scevgep86, align 2
  %in9.us54 = load <8 x i16>, ptr %scevgep85, align 2
  %104 = add <8 x i16> %in.us53, %in9.us54
  %scevgep82 = getelementptr i8, ptr %lsr.iv80, i64 %lsr.iv76
  %in10.us56 = load <8 x i16>, ptr %scevgep82, align 2
  %105 = add <8 x i16> %104, %in10.us56
  %106 = udiv <8 x i16> %105, <i16 3, i16 3, i16 3, i16 3, i16 3, i16 3, i16 3, i16 3>
  %scevgep78 = getelementptr i8, ptr %lsr.iv74, i64 %lsr.iv76
  store <8 x i16> %106, ptr %scevgep78, align 2
  %lsr.iv.next = add nsw i64 %lsr.iv, -1
  %lsr.iv.next77 = add nuw i64 %lsr.iv76, 16
  %exitcond.not = icmp eq i64 %lsr.iv.next, 0
  br i1 %exitcond.not, label %end.loop3.loopexit.us61, label %loop2.us51

end.loop3.loopexit.us61:
  %107 = add nuw nsw i64 %y.us50, 1
  %scevgep75 = getelementptr i8, ptr %lsr.iv74, i64 %95
  %scevgep81 = getelementptr i8, ptr %lsr.iv80, i64 %103
  %scevgep84 = getelementptr i8, ptr %lsr.iv83, i64 %103
  %exitcond65.not = icmp eq i64 %107, %6
  br i1 %exitcond65.not, label %end.loop.loopexit73, label %loop.us49

end.loop.loopexit:
  br label %end.loop

end.loop.loopexit73:
  br label %end.loop

end.loop:
  ret i32 0
}

declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i32 @hy_runtime_parallel_for(i64, i64, ptr, ptr)
